"""Daily totals of step counts with noise on every record, on every client's day, or on the total.

Names, with the symbols of the formulas: X = max_steps, Y = max_records_per_day,
Z = num_days. A release at epsilon_r has scale X/epsilon_r, for Gaussian noise
times sqrt(2 ln(1.25/delta)), which is proven for epsilon_r <= 1 only (Dwork and
Roth 2014, Theorem A.1) and happens to hold for some larger ones.

Where one record changes its steps, on the day it was made, exactly one release of any
placement moves, by at most X. What a placement spends on that record is therefore
the epsilon of one release, not the sum over days and records that its split pays for:

    place    epsilon of one release    spent on a record    spent on a client
    raw      epsilon/(Z·Y)             epsilon/(Z·Y)        epsilon
    local    epsilon/Z                 epsilon/Z            Y·epsilon
    global   epsilon                   epsilon              Z·Y·epsilon

All three keep a claim of epsilon about one record; raw and local add Z·Y and Z
times the noise that it asks for. They differ in whom they protect: a client owns
up to Z·Y records and moves Z·Y releases by X (raw), Z releases by Y·X (local) or Z
totals by Y·X (global). At equal noise per protected unit the order of accuracy says
little; at the level of a client only raw keeps epsilon.

A record that may move to another day moves two totals: global then spends 2·epsilon,
and raw shows on which days there are records at all, because a day without any gets
no noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import ApproxDP, Claim, PureDP
from mechanisms.parts.noise import Floats, Integers, gaussian, laplace
from mechanisms.parts.parameters import require_count, require_positive, require_probability

if TYPE_CHECKING:
    import pandas as pd

Approach = Literal["raw", "local", "global"]
APPROACHES: tuple[Approach, ...] = ("raw", "local", "global")
_BLOCK = 1 << 22
"""Noise values held in memory at a time."""


def gaussian_factor(delta: float) -> float:
    """By how much the classic Gaussian sigma exceeds sensitivity/epsilon."""
    return math.sqrt(2.0 * math.log(1.25 / delta))


@dataclass(frozen=True, slots=True)
class DailySums:
    """The noisy total of every day.

    Attributes:
        approach: where the noise is added.
        epsilon: claimed epsilon.
        mechanism: distribution of the noise.
        delta: claimed delta; Gaussian noise only.
        num_clients: clients, each of which has a daily total in "local".
        num_days: days, Z.
        max_records_per_day: records of a client on a day at most, Y.
        max_steps: steps of a record at most, X; what exceeds it is cut before the
            noise is added, so that the sensitivity is true for outliers too.
    """

    approach: Approach = "global"
    epsilon: float = 1.0
    mechanism: Literal["laplace", "gaussian"] = "laplace"
    delta: float = 1e-6
    num_clients: int = 3
    num_days: int = 7
    max_records_per_day: int = 5
    max_steps: float = 1000.0

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_probability("delta", self.delta)
        require_positive("max_steps", self.max_steps)
        for name in ("num_clients", "num_days", "max_records_per_day"):
            require_count(name, getattr(self, name))

    @property
    def claim(self) -> Claim:
        """About one record that changes its steps."""
        if self.mechanism == "gaussian":
            return ApproxDP(self.epsilon, self.delta)
        return PureDP(self.epsilon)

    @property
    def release_epsilon(self) -> float:
        """Epsilon of one release, which is also what one record truly pays."""
        match self.approach:
            case "raw":
                return self.epsilon / (self.num_days * self.max_records_per_day)
            case "local":
                return self.epsilon / self.num_days
        return self.epsilon

    @property
    def client_epsilon(self) -> float:
        """Epsilon of a client with Z·Y records under Laplace noise."""
        moved = 1 if self.approach == "raw" else self.max_records_per_day
        releases = self.num_days * self.max_records_per_day // moved
        return releases * moved * self.release_epsilon

    @property
    def scale(self) -> float:
        """Laplace scale or Gaussian standard deviation of one release, in steps."""
        scale = self.max_steps / self.release_epsilon
        return scale * gaussian_factor(self.delta) if self.mechanism == "gaussian" else scale

    def release(self, data: ArrayLike | pd.DataFrame, rng: Generator, size: int) -> Floats:
        """Noisy totals; they may be negative.

        Args:
            data: a frame with columns client, day (from 0) and steps, or the same as
                an array of shape (records, 3); or steps alone, shape (records,), of
                which record i was made on day i modulo Z. A record of no such day is
                in no total, steps that are no number count as 0.
            rng: source of the noise; "raw" takes one draw per record, so two datasets
                stay on one stream when they have equally many.
            size: draws.

        Returns:
            Shape (size, num_days).

        Raises:
            ValueError: the data have another shape.
        """
        days, steps = records_of(data, self.num_days)
        clamped = np.nan_to_num(np.clip(steps, 0.0, self.max_steps), nan=0.0)
        totals = clamped @ self._belongs(days)
        return np.asarray(totals + self._noise(self._noisy_days(days), rng, size))

    def _noisy_days(self, days: Integers) -> Integers:
        """The day that each draw of noise goes to, shape (draws,)."""
        match self.approach:
            case "raw":
                return days
            case "local":
                return np.tile(np.arange(self.num_days), self.num_clients)
        return np.arange(self.num_days)

    def _noise(self, days: Integers, rng: Generator, size: int) -> Floats:
        """Sum of the draws of each day, shape (size, num_days), in blocks of bounded size."""
        sampler = laplace if self.mechanism == "laplace" else gaussian
        step = max(1, _BLOCK // size)
        noise = np.zeros((size, self.num_days))
        for first in range(0, days.size, step):
            block = self._belongs(days[first : first + step])
            noise += sampler(rng, self.scale, (size, len(block))) @ block
        return noise

    def _belongs(self, days: Integers) -> Floats:
        """1 where a draw or record is of a day, shape (draws, num_days)."""
        return np.asarray(days[:, None] == np.arange(self.num_days), dtype=np.float64)


def records_of(
    data: ArrayLike | pd.DataFrame, num_days: int
) -> tuple[Integers, NDArray[np.float64]]:
    """Day and steps of every record, shape (records,) each; day -1 when there is no such day.

    Raises:
        ValueError: the data are neither records (client, day, steps) nor steps.
    """
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        missing = {"day", "steps"} - set(data.columns)
        if missing:
            raise ValueError(f"no column {' or '.join(sorted(missing))}; use client, day, steps")
        data = data.assign(client=0)[["client", "day", "steps"]].to_numpy(dtype=np.float64)
    values = np.asarray(data, dtype=np.float64)
    if values.ndim == 1:
        return np.arange(values.size) % num_days, values
    if values.ndim != 2 or values.shape[1] != 3:
        raise ValueError(f"records of shape {values.shape[1:]} are not (client, day, steps)")
    known = np.isin(values[:, 1], np.arange(num_days))
    return np.where(known, values[:, 1], -1).astype(np.int64), values[:, 2]

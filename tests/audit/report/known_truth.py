"""Real audits of mechanisms whose laws are known, to hold sentences against."""

from __future__ import annotations

import math
import os
import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.optimize import brentq
from scipy.stats import laplace, norm

import audit
from audit.claims import ZCDP, GaussianDP, profile_claim
from audit.verdict.findings import FunctionShown
from audit.verdict.result import AuditResult, Witness

Law = Callable[[float], Callable[[float], float]]
"""From a dataset's sum to the distribution function of the output."""

_COUNTER = "COUNTED_RUNS"
"""Variable of the environment with the file of the counter, which fresh instances inherit."""


def _counter() -> Path:
    return Path(os.environ[_COUNTER])


def _run(size: int = 1) -> None:
    """Count runs where no auditor looks: in the length of a file.

    A box that changes its variables keeps state, which is noticed.
    """
    with _counter().open("ab") as file:
        file.truncate(file.tell() + size)


@dataclass(frozen=True, slots=True)
class Watched:
    """An audit and what was seen of it from outside.

    Attributes:
        name: of its mechanism.
        result: of the audit.
        runs: that the mechanism itself counted.
        began: when the audit began, in UTC.
        ended: when it ended.
    """

    name: str
    result: AuditResult
    runs: int
    began: datetime
    ended: datetime


@dataclass(frozen=True, slots=True)
class Known:
    """A mechanism with its truth.

    Attributes:
        mechanism: answers with the sum of the data and noise, or something simpler.
        claim: what it says about itself, as `audit.run` takes it.
        levels: the true parameters, by the names of their lower bounds.
        law: distribution function of the output, None where there is no number.
        options: further arguments of the audit.
        cause: id of the true cause of its violation or leak.
    """

    mechanism: Callable[..., Any]
    claim: dict[str, Any]
    levels: dict[str, float]
    law: Law | None
    options: dict[str, Any]
    cause: str = "unknown"


def _laplace(scale: float) -> tuple[Callable[..., Any], Law]:
    def noisy_sum(data: Any, rng: Generator, size: int) -> Any:
        _run(size)
        return np.sum(data) + rng.laplace(0.0, scale, size)

    return noisy_sum, lambda total: lambda x: float(laplace.cdf(x, total, scale))


def _gaussian(scale: float) -> tuple[Callable[..., Any], Law]:
    def noisy_sum(data: Any, rng: Generator, size: int) -> Any:
        _run(size)
        return np.sum(data) + rng.normal(0.0, scale, size)

    return noisy_sum, lambda total: lambda x: float(norm.cdf(x, total, scale))


def _bit(epsilon: float) -> tuple[Callable[..., Any], Law]:
    """Randomized response on whether there are records: 1 with probability 1/(1 + e^∓epsilon)."""
    truth = 1.0 / (1.0 + math.exp(-epsilon))

    def answer(data: Any, rng: Generator, size: int) -> Any:
        _run(size)
        return (rng.random(size) < (truth if len(data) else 1.0 - truth)).astype(int)

    def law(total: float) -> Callable[[float], float]:
        one = truth if total else 1.0 - truth
        return lambda x: 0.0 if x < 0 else (1.0 - one if x < 1 else 1.0)

    return answer, law


def _raises(data: Any, rng: Generator) -> Any:
    _run()
    if len(data):
        raise ValueError("no records wanted")
    return 1.0


def _keyed(data: Any, rng: Generator) -> Any:
    _run()
    shown = {"all": len(data) + rng.laplace()}
    return shown | {"rare": 1} if len(data) else shown


def _dies(data: Any, rng: Generator) -> Any:
    _run()
    if _counter().stat().st_size > DIES_AFTER:
        raise RuntimeError("the budget is spent")
    return len(data) + rng.laplace()


def _kept(data: Any, _noise: dict[int, float] = {}) -> Any:  # noqa: B006
    _run()
    noise = random.expovariate(1.0) - random.expovariate(1.0)
    return len(data) + _noise.setdefault(len(data), noise)


def _exact(data: Any, rng: Generator, size: int) -> Any:
    _run(size)
    return np.full(size, float(np.sum(data)))


_INFINITE = {"epsilon_lower": math.inf}
_FEW = {"max_samples": 6000}
_PURE = {"epsilon": 1.0}


def _sum(
    noise: tuple[Callable[..., Any], Law],
    claim: Any,
    levels: Any,
    cause: str = "noise-too-small",
    **options: Any,
) -> Known:
    return Known(noise[0], claim, levels, noise[1], options, cause)


def profile(mu: float) -> Callable[[float], float]:
    """Delta of mu-Gaussian DP (Balle and Wang, arXiv 1805.06530)."""
    return lambda x: float(norm.cdf(mu / 2 - x / mu) - math.exp(x) * norm.cdf(-mu / 2 - x / mu))


CURVE = tuple((x, profile(1.0)(x)) for x in (0.0, 0.5, 1.0, 2.0))
"""What Gaussian noise of standard deviation 1 keeps exactly."""
_SHIFT = max(float(brentq(lambda e, d=d: profile(2.0)(e) - d, 0.0, 40.0)) - x for x, d in CURVE)
"""By how much the epsilons of these rows are too small for half of that noise."""

MECHANISMS = {
    "right": _sum(_laplace(1.0), _PURE, {"epsilon_lower": 1.0}, "low-entropy-floats"),
    "half": _sum(_laplace(0.5), _PURE, {"epsilon_lower": 2.0}),
    "close": _sum(_laplace(0.9), _PURE, {"epsilon_lower": 1.0 / 0.9}),
    "bit": _sum(_bit(2.0), _PURE, {"epsilon_lower": 2.0}, "wrong-probability"),
    "gaussian": _sum(_gaussian(1.0), _PURE, _INFINITE, "wrong-noise-shape"),
    "gaussian with a delta": _sum(_gaussian(0.5), {"epsilon": 1.0, "delta": 0.01}, _INFINITE),
    "concentrated": _sum(
        _gaussian(0.5),
        {"claim": ZCDP(0.5)},
        {"rho_lower": 2.0, "epsilon_lower": math.inf, "mu_lower": 2.0},
    ),
    "normal": _sum(
        _gaussian(0.5), {"claim": GaussianDP(1.0)}, {"mu_lower": 2.0, "epsilon_lower": math.inf}
    ),
    "curve": _sum(
        _gaussian(0.5),
        {"claim": profile_claim(CURVE)},
        {"shift_lower": _SHIFT, "epsilon_lower": math.inf},
    ),
    "dies": Known(_dies, _PURE, {"epsilon_lower": 1.0}, None, _FEW),
    "kept": Known(
        _kept, _PURE, {"epsilon_lower": 1.0}, _laplace(1.0)[1], _FEW, "low-entropy-floats"
    ),
    "exact": Known(_exact, _PURE, _INFINITE, None, {}, "no-noise"),
    "raises": Known(_raises, _PURE, _INFINITE, None, _FEW, "data-dependent-failure"),
    "keyed": Known(_keyed, _PURE, _INFINITE, None, _FEW, "data-dependent-structure"),
    "too few": Known(_exact, {"epsilon": 12.0}, _INFINITE, None, {"max_samples": 2000}),
    "null": _sum(_laplace(1.0), _PURE, {"epsilon_lower": 1.0}, null=True),
}
DIES_AFTER = 500
VIOLATORS = ("half", "close", "bit", "gaussian", "gaussian with a delta", "concentrated", "curve")
LAWLESS = ("dies",)
"""Their runs are not draws of one law."""
BY_LIVES = ("kept",)
"""Their calls are not independent of each other, but fresh instances are."""
MAX_SAMPLES = 60_000
UNCOUPLED = ("exact", "raises", "too few", "null", "kept")
"""They use no random numbers that both sides could share, or may not."""
CERTAIN = ("exact", "raises", "keyed")


def audited(name: str) -> AuditResult:
    """The audit of one of them, always the same."""
    return watched(name).result


@cache
def watched(name: str) -> Watched:
    """The same audit, watched from outside."""
    known = MECHANISMS[name]
    options: dict[str, Any] = {"max_samples": MAX_SAMPLES, "seed": 5, "name": name, "data": [1.0]}
    neighbors: dict[str, Any] = {} if known.options.get("null") else {"neighbors": [[]]}
    os.environ[_COUNTER] = str(Path(tempfile.gettempdir()) / f"counted-runs-{os.getpid()}")
    _counter().unlink(missing_ok=True)
    began = datetime.now(UTC)
    result = audit.run(known.mechanism, **known.claim, **options | neighbors | known.options)
    ended = datetime.now(UTC)
    runs = _counter().stat().st_size
    _counter().unlink()
    return Watched(name, result, runs, began, ended)


def truth_of(name: str, witness: Witness) -> tuple[float, float]:
    """The true probabilities of a witness' event on its two sides."""
    law = MECHANISMS[name].law
    assert law is not None
    here, there = (float(np.sum(side)) for side in (witness.dataset, witness.neighbor))
    if witness.function is not None:
        dual = dual_of(witness.function)
        return mean_of(witness.function, law(here)), mean_of(witness.function, law(there), dual)
    return _chance(witness, law(here)), _chance(witness, law(there))


def dual_of(function: FunctionShown) -> Callable[[float], float]:
    """What the second mean is of, as its words say it."""
    power = re.fullmatch(r"h\^(\S+)", function.dual)
    if power is not None:
        return lambda value: value ** float(power[1])
    exponential = re.fullmatch(r"exp\((\S+) \(h - 1\)\)", function.dual)
    assert exponential is not None
    return lambda value: math.exp(float(exponential[1]) * (value - 1.0))


def mean_of(
    function: FunctionShown,
    cdf: Callable[[float], float],
    of: Callable[[float], float] = lambda value: value,
) -> float:
    """The true mean of what a function of the output shows."""
    return sum(
        (_below(cdf, high) - _below(cdf, low)) * of(value) for low, high, value in function.steps
    )


def _chance(witness: Witness, cdf: Callable[[float], float]) -> float:
    parameters = witness.event.parameters
    assert parameters["feature"] in ("output", _distance(parameters["feature"]))
    ends = [(float(low), float(high)) for low, high in parameters["intervals"]]
    if parameters["feature"] != "output":
        centre = float(parameters["feature"].rpartition(" ")[2])
        ends = [side for a, b in ends for side in _sides(centre, max(a, 0.0), b)]
    return sum(_below(cdf, b) - _below(cdf, a) for a, b in ends)


def _below(cdf: Callable[[float], float], end: float) -> float:
    if math.isinf(end):
        return 0.0 if end < 0 else 1.0
    return cdf(math.nextafter(end, -math.inf))


def _distance(feature: str) -> str:
    return feature if feature.startswith("distance of output from ") else ""


def _sides(centre: float, low: float, high: float) -> list[tuple[float, float]]:
    # A distance below `high` leaves out what lies exactly so far to the left.
    left = math.nextafter(centre - high, math.inf)
    if low == 0.0:
        return [(left, centre + high)]
    return [(left, math.nextafter(centre - low, math.inf)), (centre + low, centre + high)]

"""Claims that are curves, against what keeps them exactly, and what breaks them.

python -m tests.calibration.profiles

Whole audits with calls that are assumed to be independent. The figure shows how often the largest
wealth of an audit reached c, beside 1/c, which Ville's inequality allows at most. Every audit
bounds epsilon at three deltas besides, which may all be above the exact curve in a part alpha of
the audits.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.optimize import brentq

import audit
from audit.case import Budget, Until
from audit.claims import ProfileDP
from audit.claims.profile import profile_claim
from audit.engine.preparation import case_for
from audit.relation import Relation
from audit.report.svg import Axes, Drawing, Logarithmic, legend
from audit.sampling.workers import in_parallel
from audit.verdict.evidence import CURVE
from tests.benchmarks.play import Played, play
from tests.calibration.laws import KEEP, SKEWED, Law, laplace, response, skewed
from tests.calibration.outcome import interval
from tests.calibration.truth import (
    gaussian_delta,
    hockey_stick,
    laplace_delta,
    subsampled_gaussian_delta,
)

ALPHA, _SMALL = 0.05, 0.001
STEPS = 10
"""Gaussian releases that are composed."""
RATE, DEVIATION = 0.2, 0.8
"""Of the Poisson-subsampled Gaussian."""
_RUNS = 6000
_TOP = 50.0

Profile = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Family:
    """A law, its exact privacy profile, and one that it breaks.

    Attributes:
        name: for the page.
        draw: outputs on 1 and on 0.
        exact: delta at epsilon, of both directions the larger.
        less: a smaller one, of a mechanism that loses less.
        words: what that is.
    """

    name: str
    draw: Law
    exact: Profile
    less: Profile
    words: str


def composed(data: float, rng: Generator, size: int) -> Any:
    """The sum of ten releases, which tells as much as all of them: each moves by 1/5."""
    return data * STEPS / 5.0 + rng.normal(0.0, math.sqrt(STEPS), size)


def subsampled(data: float, rng: Generator, size: int) -> Any:
    """The record takes part with a probability; Gaussian noise."""
    return data * (rng.random(size) < RATE) + rng.normal(0.0, DEVIATION, size)


def composed_delta(steps: int) -> Profile:
    """The exact curve of so many of the releases."""
    return lambda epsilon: gaussian_delta(epsilon, 5.0 / math.sqrt(steps))


def _of_response(keep: float) -> Profile:
    own, other = (keep, 1.0 - keep), (1.0 - keep, keep)
    return lambda epsilon: hockey_stick(own, other, epsilon)


FAMILIES = (
    Family("ten Gaussians", composed, composed_delta(STEPS), composed_delta(STEPS - 1), "nine"),
    Family(
        "Poisson-subsampled Gaussian",
        subsampled,
        lambda epsilon: subsampled_gaussian_delta(epsilon, DEVIATION, RATE),
        lambda epsilon: subsampled_gaussian_delta(epsilon, DEVIATION, RATE / 2.0),
        "half the rate",
    ),
    Family("Laplace", laplace, laplace_delta(1.0), laplace_delta(0.8), "scale 1.25"),
    Family("randomized response", response, _of_response(KEEP), _of_response(0.65), "truth at .65"),
    Family(
        "five skewed values",
        skewed,
        lambda epsilon: hockey_stick(SKEWED[0], SKEWED[1], epsilon),
        lambda epsilon: 0.8 * hockey_stick(SKEWED[0], SKEWED[1], epsilon),
        "deltas × .8",
    ),
)


@dataclass(frozen=True, slots=True)
class Way:
    """A family, and how it is drawn."""

    family: Family
    coupled: bool

    def game(self, seed: int, less: bool) -> Played:
        """Bets against the exact curve to the end of the budget, or against the other one."""
        until = Until.VIOLATION if less else Until.BUDGET
        return self._played(seed, less, ALPHA, 100 * _RUNS if less else _RUNS, until)

    def near(self, seed: int) -> dict[float, float]:
        """Bounds by delta over the exact epsilons, of an audit with the default budget."""
        curve = self._played(seed, False, _SMALL, Budget().max_samples, Until.BOUND).curve
        return {p.delta: p.epsilon_lower / self._largest(p.delta) for p in curve}

    def _largest(self, delta: float) -> float:
        return float(brentq(lambda epsilon: self.family.exact(epsilon) - delta, 0.0, 20.0))

    def _played(self, seed: int, less: bool, alpha: float, samples: int, until: Until) -> Played:
        draw = self.family.draw

        def release(data: Any, rng: Generator, size: int) -> Any:
            return draw(float(data[0]), rng, size)

        case = case_for(
            release,
            claim=self.claim(less),
            relation=Relation.DECLARED,
            data=[1.0],
            neighbors=[[0.0]],
        )
        return play(
            case, alpha=alpha, samples=samples, seed=seed, coupled=self.coupled, until=until
        )

    def claim(self, less: bool = False) -> ProfileDP:
        """The curve, at the rows that are bet on."""
        return profile_claim(self.family.less if less else self.family.exact)


WAYS = tuple(Way(family, coupled) for family in FAMILIES for coupled in (True, False))


SHARED = tuple(way for way in WAYS if way.coupled)


def played(seeds: Sequence[int], less: bool, workers: int) -> list[list[Played]]:
    """Games of every way, one for each seed."""
    jobs = [(way, seed) for way in WAYS for seed in seeds]
    games = list(in_parallel(workers, (partial(way.game, seed, less) for way, seed in jobs)))
    return [games[k : k + len(seeds)] for k in range(0, len(games), len(seeds))]


def wrong(way: Way, games: Sequence[Played]) -> int:
    """False alarms, and bounds above a shift of 0."""
    return sum(game.refuted or game.bound > 1e-9 for game in games)


def above(way: Way, games: Sequence[Played]) -> int:
    """Games of which any bound at a delta is above the exact curve."""
    exact = way.family.exact
    return sum(any(exact(p.epsilon_lower) < p.delta - 1e-9 for p in g.curve) for g in games)


def page(
    right: Sequence[Sequence[Played]],
    less: Sequence[Sequence[Played]],
    near: Sequence[Sequence[Mapping[float, float]]],
) -> str:
    """Markdown: totals, the figure, a line for each way, and how near default budgets come."""
    total = sum(map(len, right))
    found = sum(wrong(way, games) for way, games in zip(WAYS, right, strict=True))
    over = sum(above(way, games) for way, games in zip(WAYS, right, strict=True))
    sizes = f"--seeds {len(right[0])} --fewer {len(less[0])} --large {len(near[0])}"
    command = f"python -m tests.calibration.profiles {sizes}"
    lines = [
        "# Claims that are curves",
        "",
        f"dp-audit {audit.__version__}. Reproduce: `{command}`",
        "",
        f"Games of {_RUNS:,} runs at α = {ALPHA:g} against mechanisms whose privacy profile is",
        "known exactly, calls being assumed independent. A game that refutes the exact curve, or",
        "whose bound on the shift is above 0, is wrong.",
        "*Above*: a bound on ε at δ = .1, .03 or .01 is above the exact curve; α is for all three.",
        "*Sold as less* is the same mechanism under the curve of one that loses less.",
        "Intervals are exact (Clopper-Pearson) at 95%.",
        "",
        "| of games | | number | rate | 95% interval |",
        "|--:|---|--:|--:|---|",
        f"| {total} | wrong | {found} | {interval(found, total)} |",
        f"| {total} | above | {over} | {interval(over, total)} |",
        "",
        "![Part of the games whose wealth reached c, against 1/c](profiles.svg)",
        "",
        *_rows(right, less),
        "",
        f"Bounds ÷ the exact ε after {Budget().max_samples:,} runs at α = {_SMALL:g}, medians of",
        f"{len(near[0])} audits with shared randomness:",
        "",
        "| mechanism | δ = .1 | δ = .03 | δ = .01 | least |",
        "|---|--:|--:|--:|--:|",
        *map(_near, SHARED, near),
    ]
    return "\n".join(lines) + "\n"


def _near(way: Way, games: Sequence[Mapping[float, float]]) -> str:
    found = [[game[delta] for game in games if delta in game] for delta in CURVE.values()]
    medians = (f"{np.median(each):.3f}" if each else "–" for each in found)
    least = min(share for game in games for share in game.values())
    return f"| {way.family.name} | {' | '.join(medians)} | {least:.3f} |"


def _rows(right: Sequence[Sequence[Played]], less: Sequence[Sequence[Played]]) -> Iterator[str]:
    head = "| mechanism | randomness | rows | games | wrong | above | median bound on the shift "
    yield f"{head}| sold as less | refuted | median pairs |"
    yield "|---|---|--:|--:|--:|--:|--:|---|--:|--:|"
    for way, games, broken in zip(WAYS, right, less, strict=True):
        claim = way.claim()
        refuted = [game.pairs for game in broken if game.refuted]
        cells = (
            way.family.name,
            "shared" if way.coupled else "apart",
            str(len(claim.rows)),
            str(len(games)),
            str(wrong(way, games)),
            str(above(way, games)),
            f"{np.median([game.bound for game in games]):.3f}",
            way.family.words,
            f"{len(refuted)} of {len(broken)}",
            f"{np.median(refuted):,.0f}" if refuted else "–",
        )
        yield f"| {' | '.join(cells)} |"


def figure(right: Sequence[Sequence[Played]]) -> Drawing:
    """How often the largest wealth reached c."""
    wealth = sorted(math.exp(game.log_wealth) for games in right for game in games)
    part = [1.0 - place / len(wealth) for place in range(len(wealth))]
    axes = Axes(Logarithmic(1.0, _TOP), Logarithmic(2e-4, 1.2), 44.0, 344.0)
    limits = np.geomspace(1.0, _TOP, 50).tolist()
    inside = [(c, share) for c, share in zip(wealth, part, strict=True) if 1.0 <= c <= _TOP]
    keys = (
        ("p", f"{len(wealth):,} games"),
        ("claimed", "1/c, the most allowed"),
        ("mark", f"c = 1/α = {1.0 / ALPHA:g}, which refutes"),
    )
    parts = (
        *axes.frame("c", "part of games whose wealth reached c"),
        axes.trace("claimed", [(c, 1.0 / c) for c in limits]),
        axes.trace("p", inside),
        axes.trace("mark", [(1.0 / ALPHA, 2e-4), (1.0 / ALPHA, 1.2)]),
        *legend(keys, 250.0, 14.0),
    )
    return Drawing("how often the largest wealth reached c", 720.0, 388.0, parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="games of each way at its curve")
    parser.add_argument("--fewer", type=int, default=5, help="games of each way below it")
    parser.add_argument("--large", type=int, default=5, help="games with the default budget")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("reports/studies"))
    options = parser.parse_args()
    right = played(range(options.seeds), False, options.workers)
    less = played(range(options.fewer), True, options.workers)
    near = [[way.near(seed) for seed in range(options.large)] for way in SHARED]
    (options.folder / "profiles.md").write_text(page(right, less, near), encoding="utf-8")
    (options.folder / "profiles.svg").write_bytes(figure(right).file)


if __name__ == "__main__":
    main()

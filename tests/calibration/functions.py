"""Bets on functions against what keeps its zCDP or Rényi claim exactly, and what breaks it.

python -m tests.calibration.functions

Whole audits with calls that are assumed to be independent.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

import audit
from audit.case import Until
from audit.claims import Claim, RenyiDP, ZeroConcentratedDP
from audit.engine.preparation import case_for
from audit.relation import Relation
from audit.sampling.workers import in_parallel
from tests.benchmarks.play import Played, play
from tests.calibration.laws import KEEP, SKEWED, Law, laplace, response, skewed
from tests.calibration.outcome import interval
from tests.calibration.truth import laplace_rho, renyi_of_laplace, renyi_of_response

ALPHA = 0.05
LESS = 0.7
"""What is broken: a claim of this part of the truth."""
_RUNS = {True: 6000, False: 2000}
"""Runs of a game where a call gives many outputs, and where it gives one."""


@dataclass(frozen=True, slots=True)
class Family:
    """A law with its exact parameters.

    Attributes:
        name: for the page.
        draw: outputs on 1 and on 0.
        claims: what it keeps exactly: zCDP, and Rényi DP of order 2.
    """

    name: str
    draw: Law
    claims: tuple[Claim, Claim]


def _gaussian(data: float, rng: Generator, size: int) -> Any:
    return data + rng.normal(size=size)


def divergence(order: float, left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """The Rényi divergence of an order above 1 of two finite laws."""
    return math.log(float((left**order * right ** (1.0 - order)).sum())) / (order - 1.0)


def rho_of(divergence_at: Callable[[float], float]) -> float:
    """The smallest rho with divergences of at most rho times the order, for all orders above 1."""
    found = minimize_scalar(
        lambda order: -divergence_at(order) / order, bounds=(1.0 + 1e-6, 60.0), method="bounded"
    )
    return max(-float(found.fun), divergence_at(1.0 + 1e-6), divergence_at(60.0) / 60.0)


def _of_both(order: float) -> float:
    return max(divergence(order, *SKEWED), divergence(order, *SKEWED[::-1]))


def _claims(rho: float, second: float) -> tuple[Claim, Claim]:
    return ZeroConcentratedDP(rho), RenyiDP(2.0, second)


FAMILIES = (
    Family("Gaussian", _gaussian, _claims(0.5, 1.0)),
    Family("Laplace", laplace, _claims(laplace_rho(), renyi_of_laplace(2.0))),
    Family(
        "randomized response",
        response,
        _claims(rho_of(lambda order: renyi_of_response(order, KEEP)), renyi_of_response(2.0, KEEP)),
    ),
    Family("five skewed values", skewed, _claims(rho_of(_of_both), _of_both(2.0))),
)


@dataclass(frozen=True, slots=True)
class Way:
    """How a family is drawn, and what is bet against.

    Attributes:
        family: the law.
        place: 0 for zCDP, 1 for Rényi DP.
        coupled: whether both sides share their randomness.
        many: whether a call gives many outputs.
    """

    family: Family
    place: int
    coupled: bool
    many: bool

    def game(self, seed: int, part: float) -> Played:
        """Bets against a part of the true parameter, to the end of the budget."""
        draw = self.family.draw

        def many(data: Any, rng: Generator, size: int) -> Any:
            return draw(float(data[0]), rng, size)

        def one(data: Any, rng: Generator) -> Any:
            return draw(float(data[0]), rng, 1)[0]

        claim = self.family.claims[self.place]
        case = case_for(
            many if self.many else one,
            claim=claim.at(part * claim.level),
            relation=Relation.DECLARED,
            data=[1.0],
            neighbors=[[0.0]],
        )
        until = Until.BUDGET if part == 1.0 else Until.VIOLATION
        runs = _RUNS[self.many]
        return play(case, alpha=ALPHA, samples=runs, seed=seed, coupled=self.coupled, until=until)


WAYS = tuple(
    Way(family, place, coupled, many)
    for family in FAMILIES
    for place in (0, 1)
    for coupled in (True, False)
    for many in (True, False)
)


def played(seeds: Sequence[int], part: float, workers: int) -> list[list[Played]]:
    """Games of every way, one for each seed."""
    jobs = [(way, seed) for way in WAYS for seed in seeds]
    games = list(in_parallel(workers, (partial(way.game, seed, part) for way, seed in jobs)))
    return [games[k : k + len(seeds)] for k in range(0, len(games), len(seeds))]


def wrong(way: Way, games: Sequence[Played]) -> int:
    """False alarms, and bounds above the truth."""
    truth = way.family.claims[way.place].level
    return sum(game.refuted or game.bound > truth * (1 + 1e-9) for game in games)


def page(right: Sequence[Sequence[Played]], less: Sequence[Sequence[Played]]) -> str:
    """Markdown: the totals, then a line for each way."""
    lines = [*_head(len(right[0]), len(less[0])), *_totals(right), "", *_rows(right, less)]
    return "\n".join(lines) + "\n"


def _head(seeds: int, fewer: int) -> list[str]:
    command = f"python -m tests.calibration.functions --seeds {seeds} --fewer {fewer}"
    many, one = (f"{_RUNS[many]:,}" for many in (True, False))
    return [
        "# Bets on functions",
        "",
        f"dp-audit {audit.__version__}. Reproduce: `{command}`",
        "",
        "Games against mechanisms whose zCDP or Rényi parameter (order 2) is known exactly, at",
        f"α = {ALPHA:g}, calls being assumed independent. A game that refutes the exact claim, or",
        "whose bound lies above it, is wrong; each spends",
        f"its whole budget ({many} runs where a call gives many outputs, {one} where one).",
        f"*Sold at {LESS:g}* is the same mechanism with a claim of {LESS:g} times its parameter.",
        "Intervals are exact (Clopper-Pearson) at 95%.",
        "",
    ]


def _totals(right: Sequence[Sequence[Played]]) -> list[str]:
    lines = ["| claim | games | wrong | rate | 95% interval |", "|---|--:|--:|--:|---|"]
    for place, name in enumerate(("zCDP", "Rényi, order 2")):
        mine = [(way, games) for way, games in zip(WAYS, right, strict=True) if way.place == place]
        total = sum(len(games) for _, games in mine)
        found = sum(wrong(way, games) for way, games in mine)
        lines.append(f"| {name} | {total} | {found} | {interval(found, total)} |")
    return lines


def _rows(right: Sequence[Sequence[Played]], less: Sequence[Sequence[Played]]) -> Iterator[str]:
    yield (
        "| law | claim | randomness | outputs of a call | games | wrong | median bound ÷ truth "
        f"| sold at {LESS:g}: refuted | median pairs |"
    )
    yield "|---|---|---|---|--:|--:|--:|--:|--:|"
    for way, games, broken in zip(WAYS, right, less, strict=True):
        claim = way.family.claims[way.place]
        refuted = [game.pairs for game in broken if game.refuted]
        cells = (
            way.family.name,
            str(claim.at(float(f"{claim.level:.4g}"))),
            "shared" if way.coupled else "apart",
            "many" if way.many else "one",
            str(len(games)),
            str(wrong(way, games)),
            f"{np.median([game.bound for game in games]) / claim.level:.3f}",
            f"{len(refuted)} of {len(broken)}",
            f"{np.median(refuted):,.0f}" if refuted else "–",
        )
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=26, help="games of each way at its claim")
    parser.add_argument("--fewer", type=int, default=5, help="games of each way below it")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--page", type=Path, default=Path("reports/studies/functions.md"))
    options = parser.parse_args()
    right = played(range(options.seeds), 1.0, options.workers)
    less = played(range(options.fewer), LESS, options.workers)
    options.page.write_text(page(right, less), encoding="utf-8")


if __name__ == "__main__":
    main()

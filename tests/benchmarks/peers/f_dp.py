"""Sequential auditing of f-DP (APT; Kutta, Dunsche, Wei, Zikas, arXiv 2602.06518).

The peer is the clone FOLDER/sequential_fdp_auditing and an `Rscript` on the path that has
KernSmooth and rmutil. It runs as in its own experiments: its classifier of densities, 50 runs a
side before the first look, level .05, noise of R's generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

from numpy.random import Generator
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

from audit.case import Case
from audit.claims import Claim, GaussianDP, PureDP
from audit.claims.profile import profile_claim
from audit.engine.preparation import case_for
from audit.relation import Relation
from tests.benchmarks.cases import additive
from tests.benchmarks.peers.runs import Audited, audited, exceeds, printed, rate
from tests.calibration.truth import laplace_delta

NAME = "sequential_fdp_auditing"
TITLE = "Sequential auditing of f-DP (APT, arXiv 2602.06518; α = .05)"
ALPHA = 0.05
TIMED, SEEDS, NULLS = 3, 20, 30
"""Seeds with the peer's own sums, seeds with the quick ones, and audits of each right claim."""
_FIRST, _LATER, _FEWER = 50, 10_000, 1_000
"""Pairs before the first look, and after it at most, for wrong claims and for right ones."""
_DRIVER = Path(__file__).with_suffix(".R")
_PUBLISHED = {0.5: 160, 0.8: 1390}
"""Medians of the 1,000 stops of each in its experiments_log/results/gaussian."""

_APART = 8.0
"""Of the two values of a bit that is read through noise of deviation 1."""

Law = Literal["gaussian", "laplace", "response"]
Curve = Literal["gaussian", "laplace", "pure"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A mechanism on one number, and the curve that is claimed of it.

    Attributes:
        name: for the page.
        law: noise of scale 1 on a count, or randomized response of one bit, read through noise.
        distance: how far one record moves the count; epsilon of the response.
        curve: kind of the claim.
        level: its parameter.
    """

    name: str
    law: Law
    distance: float
    curve: Curve
    level: float

    @property
    def claim(self) -> Claim:
        """The same curve as a claim of this tool."""
        claims: dict[Curve, Callable[[float], Claim]] = {
            "gaussian": GaussianDP,
            "laplace": lambda level: profile_claim(laplace_delta(level)),
            "pure": PureDP,
        }
        return claims[self.curve](self.level)

    @property
    def case(self) -> Case:
        """What this tool audits; `additive` moves by 1, so that the noise is scaled."""
        if self.law == "response":
            return self._response
        scale = 1.0 / self.distance

        def noise(rng: Generator, size: int) -> object:
            draw = rng.normal if self.law == "gaussian" else rng.laplace
            return draw(0.0, scale, size)

        return additive(noise, self.claim)

    @property
    def _response(self) -> Case:
        lie = 1.0 / (1.0 + math.exp(self.distance))

        def release(data: Any, rng: Generator, size: int) -> Any:
            bits = (rng.random(size) < lie) ^ (data[0] > 0)
            return _APART * bits + rng.normal(size=size)

        return case_for(
            release,
            claim=self.claim,
            relation=Relation.DECLARED,
            data=[1.0],
            neighbors=[[0.0]],
        )

    def line(self, seed: int, sums: str, later: int = _LATER) -> str:
        """What the driver reads."""
        cell = (self.law, self.distance, self.curve, self.level, seed, later, sums)
        return " ".join(map(str, cell))


RIGHT = (
    Cell("Gaussian, μ = .5 at its own curve", "gaussian", 0.5, "gaussian", 0.5),
    Cell("Laplace, ε = 1 at its exact curve", "laplace", 1.0, "laplace", 1.0),
    Cell("Laplace, ε = 3 as pure ε = 3", "laplace", 3.0, "pure", 3.0),
    Cell("randomized response, ε = 3 as pure ε = 3", "response", 3.0, "pure", 3.0),
)
WRONG = (
    Cell("Gaussian, μ = 1 sold as .5", "gaussian", 1.0, "gaussian", 0.5),
    Cell("Gaussian, μ = 1 sold as .8", "gaussian", 1.0, "gaussian", 0.8),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """One audit of the peer: if it rejected, pairs, processor seconds."""

    rejected: bool
    pairs: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answers:
    """What the driver printed: seconds of its threshold, and its audits in order."""

    threshold: float
    audits: list[Ended]


def answers(lines: Sequence[str]) -> Answers:
    """The driver's lines, read."""
    _, threshold = lines[0].split()
    rows = (line.split() for line in lines[1:])
    return Answers(float(threshold), [Ended(r == "1", int(n), float(s)) for r, n, s in rows])


def peer(folder: Path, cells: Sequence[str]) -> Answers:
    """Audits by the peer, all in one process."""
    return answers(printed(["Rscript", _DRIVER, folder / NAME / "src_log"], cells))


def level(folder: Path) -> Iterator[str]:
    """Audits of right claims, by the peer and here, as lines of Markdown."""
    yield "| right claim | APT: false rejections (95% interval) | here |"
    yield "|---|--:|--:|"
    seeds = range(NULLS)
    here = [sum(own(cell, seed, False, _FEWER).refuted for seed in seeds) for cell in RIGHT]
    cells = [cell.line(seed, "quick", _FEWER) for cell in RIGHT for seed in seeds]
    found = peer(folder, cells).audits
    failed = []
    for place, cell in enumerate(RIGHT):
        theirs = sum(one.rejected for one in found[place * NULLS : (place + 1) * NULLS])
        yield f"| {cell.name} | {rate(theirs, NULLS)} | {rate(here[place], NULLS)} |"
        failed += [cell.name] if exceeds(theirs, NULLS, ALPHA) else []
    kept = f"APT's level fails here: {'; '.join(failed)}." if failed else "APT's level holds here."
    yield ""
    yield f"{kept} An audit is of at most {_FIRST + _FEWER:,} pairs."


def own(cell: Cell, seed: int, coupled: bool, later: int = _LATER) -> Audited:
    """One audit of this tool, with as many runs at most."""
    most = 2 * (_FIRST + later)
    return audited(cell.case, alpha=ALPHA, samples=most, seed=seed, coupled=coupled)


def _middle(games: Sequence[Audited]) -> str:
    pairs = median(game.bet / 2 if game.refuted else float("inf") for game in games)
    seconds = median(game.seconds for game in games)
    return f"{pairs:,.0f} | {seconds:.2f}"


def power(folder: Path) -> Iterator[str]:
    """Pairs until the rejection of wrong claims, by the peer and here."""
    timed = [cell.line(seed, "own") for cell in WRONG for seed in range(TIMED)]
    quick = [cell.line(seed, "quick") for cell in WRONG for seed in range(SEEDS)]
    told = peer(folder, [*timed, *quick])
    by_own, by_quick = told.audits[: len(timed)], told.audits[len(timed) :]
    yield (
        "| wrong claim | APT: pairs | published | seconds | here, noise apart: pairs | seconds "
        "| here, shared noise: pairs | seconds | whole audit: runs |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    same = 0
    for place, cell in enumerate(WRONG):
        first = by_own[place * TIMED : (place + 1) * TIMED]
        all_ = by_quick[place * SEEDS : (place + 1) * SEEDS]
        same += sum(a.pairs == b.pairs for a, b in zip(first, all_, strict=False))
        pairs = median(one.pairs if one.rejected else float("inf") for one in all_)
        apart, shared = (
            [own(cell, seed, coupled) for seed in range(SEEDS)] for coupled in (False, True)
        )
        yield (
            f"| {cell.name} | {pairs:,.0f} | {_PUBLISHED[cell.level]:,} "
            f"| {median(one.seconds for one in first):.1f} | {_middle(apart)} | {_middle(shared)} "
            f"| {median(game.runs for game in apart):,.0f} |"
        )
    yield ""
    yield (
        f"Medians of {SEEDS} seeds; APT's seconds of {TIMED}, and {told.threshold:.0f} more once "
        "for its threshold. Pairs are those until the rejection. The whole audit here also shrinks "
        "the counterexample and estimates its probabilities, on fresh runs; its seconds are of all "
        "this. *Shared noise*: common random numbers on both datasets, as an audit has them if the "
        "mechanism takes its generator; APT draws apart."
    )
    yield ""
    yield (
        "Where no seconds are given, two sums of APT's are taken from one cumulative sum, which is "
        f"faster; {same} of {len(timed)} audits ended after as many pairs as with its own."
    )


def oracle(distance: float, mu: float) -> float:
    """Pairs in which one bet on an event known beforehand is expected to reach 1/α.

    The event is an output above half the distance, and the bet is on P[E] - Q[E] <= delta(0) of
    the claim, at the best stake; noise is apart.

    Args:
        distance: between the two Gaussians of deviation 1.
        mu: that is claimed.
    """
    often, seldom = (float(ndtr(side * distance / 2.0)) for side in (1.0, -1.0))
    free = GaussianDP(mu).delta(0.0)
    one, other = often * (1.0 - seldom), seldom * (1.0 - often)

    def growth(stake: float) -> float:
        return (
            one * math.log1p(stake * (1.0 - free))
            + other * math.log1p(-stake * (1.0 + free))
            + (1.0 - one - other) * math.log1p(-stake * free)
        )

    most = (1.0 - 1e-9) / (1.0 + free)
    best = minimize_scalar(lambda stake: -growth(stake), bounds=(0.0, most), method="bounded")
    return -math.log(ALPHA) / growth(float(best.x))


def known_beforehand(_: Path) -> Iterator[str]:
    """The oracle's pairs in words."""
    pairs = " and ".join(f"{oracle(cell.distance, cell.level):,.0f}" for cell in WRONG)
    yield (
        "An oracle, which knows the best event beforehand and bets at the best stake, would need "
        f"{pairs} pairs with noise apart, as log-wealth grows on average. The audit here has to "
        "find the event first, in both directions and at several lines of the curve; APT tests one "
        "direction by a normal approximation."
    )

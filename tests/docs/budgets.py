"""The tables of docs/explanation/budgets.md; `python -m tests.docs.budgets` writes them.

Computed from the floor of a claim and the growth of an ideal gambler's wealth, so
they change with the stakes and the shares of the budget, and with nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from audit.betting.e_process import log_factors, payoffs, stakes_for
from audit.betting.odds_factors import log_factors as log_factors_at
from audit.betting.odds_factors import stakes_at, steep, times_for
from audit.betting.power import floor_pairs
from audit.claim import PureDP
from audit.sampling.allotment import Allotment
from tests.docs.pages import DOCS

PAGE = DOCS / "explanation" / "budgets.md"
START, END = "<!-- written by python -m tests.docs.budgets -->\n", "<!-- up to here -->\n"

_BUDGETS = (1_000, 10_000, 50_000, 400_000, 4_000_000, 40_000_000)
_LEVELS = (0.05, 0.001, 1e-6)
_CLAIMED = (0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
_TIMES = (1.05, 1.1, 1.2, 1.5, 2.0)
_STEP = 0.1


def pairs_to_bet_with(budget: int) -> int:
    """Pairs of runs that are bet with on one pair of datasets, where a call gives many outputs."""
    return Allotment.of(budget, 1, many=True).bets // 2


def largest_epsilon(pairs: int, alpha: float) -> float:
    """The largest claim, in steps of 0.1, whose floor is within so many pairs; 0 if none."""
    steps = 0
    while floor_pairs(PureDP((steps + 1) * _STEP), alpha) <= pairs:
        steps += 1
    return steps * _STEP


def ideal_pairs(true: float, claimed: float, alpha: float) -> int:
    """Pairs until randomized response is refuted by whoever knows its best event and stake.

    Drawn independently, it says the truth with probability e^true / (1 + e^true). Bet on in
    pairs or at odds, whichever takes fewer runs; two runs count as a pair.
    """
    says = 1.0 / (1.0 + math.exp(-true))
    chances = np.outer([says, 1.0 - says], [1.0 - says, says]).ravel()
    lines = PureDP(claimed).lines(claimed)
    factors, _ = log_factors(payoffs(lines)[0], stakes_for(lines))
    growth = max(float((chances @ factors).max()), _at_odds(says, claimed))
    return math.ceil(-math.log(alpha) / growth)


def _at_odds(says: float, claimed: float) -> float:
    """Growth for two runs, by the best stake at the odds that the tool bets at."""
    lines = PureDP(claimed).lines(claimed)
    if not steep(lines):
        return 0.0
    times = times_for(lines)
    factors, _ = log_factors_at(lines, stakes_at(lines, times), times)
    chances = np.array([says, 1.0 - says, times * (1.0 - says)])
    # Of the pair in a block, only the run on the own side counts.
    return float(np.einsum("k,kls->ls", chances, factors).max()) * 2.0 / (2.0 + times)


def tables() -> str:
    """Both tables with their sentences."""
    floors = _table(
        ["`--max-samples`", "pairs bet with", *(f"α = {alpha:g}" for alpha in _LEVELS)],
        (
            [f"{budget:,}", f"{(pairs := pairs_to_bet_with(budget)):,}"]
            + [_epsilon(largest_epsilon(pairs, alpha)) for alpha in _LEVELS]
            for budget in _BUDGETS
        ),
    )
    excesses = _table(
        ["true ε ÷ claimed ε", *(f"ε = {claimed:g}" for claimed in _CLAIMED)],
        (
            [f"{times:g}"]
            + [_rounded(ideal_pairs(times * claimed, claimed, 0.001)) for claimed in _CLAIMED]
            for times in _TIMES
        ),
    )
    return f"""\
## The largest ε that can be refuted at all

{floors}
## How many pairs of runs an excess takes

{excesses}"""


def _epsilon(value: float) -> str:
    return f"ε ≤ {value:.1f}" if value else "none"


def _rounded(count: int) -> str:
    """Two digits are all that an expectation is worth."""
    digits = max(0, len(str(count)) - 2)
    return f"{round(count, -digits):,}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["--:"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def parts(text: str) -> tuple[str, str, str]:
    """What stands before the tables, the tables, and what stands behind."""
    before, _, rest = text.partition(START)
    held, _, after = rest.partition(END)
    return before, held, after


def main() -> None:
    """Write the tables into the page."""
    before, _, after = parts(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(f"{before}{START}{tables()}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

"""The tables of docs/explanation/budgets.md; `python -m tests.docs.budgets` writes them.

Computed from the floor of a claim and the expected log-growth of the best event, so they change
with the shares of the budget, and with nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from audit.betting.bet import SHARES
from audit.betting.power import floor_units
from audit.claims import PureDP
from audit.engine.progress import for_bets
from tests.docs.pages import DOCS

PAGE = DOCS / "explanation" / "budgets.md"
START, END = "<!-- written by python -m tests.docs.budgets -->\n", "<!-- up to here -->\n"

_BUDGETS = (1_000, 10_000, 50_000, 400_000, 4_000_000, 40_000_000)
_LEVELS = (0.05, 0.001, 1e-6)
_CLAIMED = (0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
_TIMES = (1.05, 1.1, 1.2, 1.5, 2.0)
_STEP = 0.1
_STAKES = np.arange(1, 1000) / 1000
"""Parts of the largest stake."""


def pairs_to_bet_with(budget: int) -> int:
    """Pairs of runs that are bet on, for one pair of datasets."""
    return for_bets(budget, 1) // 2


def largest_epsilon(pairs: int, alpha: float) -> float:
    """The largest claim, in steps of 0.1, whose floor is within so many pairs; 0 if none."""
    steps = 0
    while floor_units(PureDP((steps + 1) * _STEP), alpha) <= pairs:
        steps += 1
    return steps * _STEP


def ideal_pairs(true: float, claimed: float, alpha: float) -> int:
    """Expected pairs of runs until randomized response is refuted with its best event and stake.

    Drawn independently, it says the truth with probability e^true / (1 + e^true). Units are pairs
    or coins, whichever take fewer runs; two runs count as a pair.
    """
    says, slope = 1.0 / (1.0 + math.exp(-true)), math.exp(claimed)
    growth = max(_by_pairs(says, slope), *(2.0 * _by_coins(says, slope, pi) for pi in SHARES))
    return math.ceil(-math.log(alpha) / growth)


def _by_pairs(says: float, slope: float) -> float:
    """Largest expected log-growth with a pair."""
    stakes = _STAKES / slope
    return float(
        (
            says * (1.0 - says) * np.log1p(stakes * (1.0 - slope))
            + says * says * np.log1p(stakes)
            + (1.0 - says) * (1.0 - says) * np.log1p(-stakes * slope)
        ).max()
    )


def _by_coins(says: float, slope: float, share: float) -> float:
    """Largest expected log-growth with one run, on D with probability `share`."""
    stakes = _STAKES * (1.0 - share) / slope
    return float(
        (
            share * says * np.log1p(stakes / share)
            + (1.0 - share) * (1.0 - says) * np.log1p(-stakes * slope / (1.0 - share))
        ).max()
    )


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

"""The recursion: its bound is the optimum of a linear program, and mechanisms keep its Lemma."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linprog

from audit.canary.design import Design
from audit.canary.guesses import Guesses, Prefix
from audit.canary.profile_test import ProfileTest, refuted, smallest_other
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP

CLAIMS: tuple[Claim, ...] = (
    PureDP(1.0),
    ApproxDP(1.0, 0.01),
    GaussianDP(1.0),
    ZCDP(0.5),
    RenyiDP(4.0, 0.5),
)


def threshold(right: int, guesses: int, canaries: int, claim: Claim) -> float:
    """The largest level at which `refuted` still says no: its bound on P[N >= right]."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2.0
        found = refuted(
            right=right,
            guesses=guesses,
            canaries=canaries,
            smallest=smallest_other(claim),
            level=middle,
        )
        low, high = (low, middle) if found else (middle, high)
    return high


def most_likely(right: int, guesses: int, canaries: int, claim: ApproxDP) -> float:
    """The largest P[N >= right] under the Lemma for all sets {k, k + 1, ...}.

    For one line p <= e^epsilon q + delta the Lemma is linear in the masses: a linear program.
    """
    counts = np.arange(guesses + 1)
    rows, limits = [], []
    for k in range(1, guesses + 1):
        gained = np.where(counts >= k, counts, 0.0) / canaries
        lost = np.where(counts >= k - 1, guesses - counts, 0.0) / canaries
        rows.append(gained - math.exp(claim.epsilon) * lost)
        limits.append(claim.delta_claimed)
    found = linprog(
        -(counts >= right).astype(float),
        A_ub=rows,
        b_ub=limits,
        A_eq=[np.ones(guesses + 1)],
        b_eq=[1.0],
    )
    assert found.success
    return -float(found.fun)


@pytest.mark.parametrize(("guesses", "canaries"), [(6, 6), (10, 10), (5, 20)])
@pytest.mark.parametrize("delta", [1e-9, 0.02])
def test_the_bound_is_the_optimum(guesses: int, canaries: int, delta: float) -> None:
    claim = ApproxDP(0.8, delta)
    for right in range(guesses // 2 + 1, guesses + 1):
        expected = most_likely(right, guesses, canaries, claim)
        assert threshold(right, guesses, canaries, claim) == pytest.approx(expected, rel=1e-3)


def test_pure_claims_give_a_little_more_than_binomial_tails() -> None:
    """Sets {k, k + 1, ...} alone say a little less of one line than all sets do."""
    rate = 1.0 / (1.0 + math.exp(-1.0))
    for guesses, right in ((20, 18), (20, 19), (20, 20), (1000, 765), (1000, 775)):
        tail = float(stats.binom.sf(right - 1, guesses, rate))
        found = threshold(right, guesses, guesses, PureDP(1.0))
        assert tail * (1.0 - 1e-9) <= found <= 1.13 * tail


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_curves_turned_around(claim: Claim) -> None:
    curve = smallest_other(claim)
    grid = np.linspace(0.0, 1.0, 101)
    values = np.array([curve(float(p)) for p in grid])
    assert (np.diff(values) >= -1e-12).all()
    assert (np.diff(values, 2) >= -1e-9).all()
    assert (values <= grid + 1e-12).all()
    twice = smallest_other(claim, 2)
    assert all(twice(float(p)) <= curve(float(p)) + 1e-12 for p in grid)
    weaker = smallest_other(claim.at(1.5 * claim.level))
    assert all(weaker(float(p)) <= curve(float(p)) + 1e-12 for p in grid)


def test_the_gaussian_curve_agrees_with_its_lines() -> None:
    exact = smallest_other(GaussianDP(1.2))
    for p in (0.001, 0.1, 0.5, 0.95):
        points = [(math.exp(x), GaussianDP(1.2).delta(x)) for x in np.linspace(0.0, 12.0, 4001)]
        of_event = max((p - offset) / slope for slope, offset in points)
        of_complement = max(1.0 - offset - slope * (1.0 - p) for slope, offset in points)
        found = max(of_event, of_complement)
        assert exact(p) == pytest.approx(found, rel=1e-4)


def profile_test(ins: int, outs: int, canaries: int, alpha: float = 0.05) -> ProfileTest:
    """Of mu = 1, with as many right guesses of either side."""
    guesses = Guesses(ins=np.ones(ins, dtype=bool), outs=np.ones(outs, dtype=bool))
    return ProfileTest(
        guesses=guesses,
        design=Design(),
        canaries=canaries,
        claim=GaussianDP(1.0),
        alpha=alpha,
    )


def test_prefixes_share_alpha() -> None:
    """Together, the least numbers of right guesses that refute are as unlikely as alpha."""
    test, claim = profile_test(150, 150, 300, alpha=0.2), GaussianDP(1.0)
    spent = []
    for prefix in test.prefixes():
        counts = range(prefix.size // 2, prefix.size + 1)
        least = next((n for n in counts if test.prefix_refutes(prefix, n, claim.mu)), None)
        if least is not None:
            spent.append(threshold(least, prefix.size, 300, claim))
    assert len(test.prefixes()) > len(spent) > 1
    assert 0.05 < sum(spent) <= 0.2


def test_canaries_nobody_guessed_count() -> None:
    """The same sixty right guesses say less about a thousand canaries than about sixty."""
    few, many = profile_test(30, 30, 60), profile_test(30, 30, 1000)
    prefix = Prefix(30, 30)
    assert few.prefix_refutes(prefix, 60, 1.0)
    assert not many.prefix_refutes(prefix, 60, 1.0)


Mechanism = Callable[[tuple[int, ...]], dict[object, float]]
Guess = Callable[[object], tuple[int, ...]]


def right_guesses(mechanism: Mechanism, guess: Guess, canaries: int) -> dict[int, float]:
    """The law of N when each coin is fair: outputs, coins and guesses enumerated."""
    found: dict[int, float] = {}
    for coins in product((-1, 1), repeat=canaries):
        for output, chance in mechanism(coins).items():
            right = sum(g == s for g, s in zip(guess(output), coins, strict=True))
            found[right] = found.get(right, 0.0) + chance / 2**canaries
    return found


def one_revealed(coins: tuple[int, ...]) -> dict[object, float]:
    """One coin of m, drawn at random: (0, 1/m)-DP."""
    return {(place, side): 1.0 / len(coins) for place, side in enumerate(coins)}


def guess_the_revealed(output: object) -> tuple[int, ...]:
    assert isinstance(output, tuple)
    return tuple(output[1] if i == output[0] else 0 for i in range(5))


def test_which_canary_is_guessed_may_depend_on_the_output() -> None:
    """Always right with one guess of five canaries: dividing by guesses would refute what holds."""
    law = right_guesses(one_revealed, guess_the_revealed, 5)
    assert law == pytest.approx({1: 1.0})
    claim = ApproxDP(1e-6, 0.2 + 1e-6)
    facts = {"right": 1, "guesses": 1, "smallest": smallest_other(claim), "level": 0.9}
    assert not refuted(canaries=5, **facts)  # type: ignore[arg-type]
    assert refuted(canaries=1, **facts)  # type: ignore[arg-type]


def response(epsilon: float, delta: float) -> Mechanism:
    """Randomized response to each coin, and all coins in the open with probability delta."""

    def run(coins: tuple[int, ...]) -> dict[object, float]:
        rate = 1.0 / (1.0 + math.exp(-epsilon))
        found: dict[object, float] = {("open", coins): delta}
        for said in product((-1, 1), repeat=len(coins)):
            told = math.prod(rate if a == b else 1 - rate for a, b in zip(said, coins, strict=True))
            found["closed", said] = (1.0 - delta) * told
        return found

    return run


def told(output: object) -> tuple[int, ...]:
    assert isinstance(output, tuple)
    found: tuple[int, ...] = output[1]
    return found


@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_randomized_response_keeps_the_bound_and_a_louder_one_breaks_it(delta: float) -> None:
    claim: Claim = ApproxDP(1.0, delta) if delta else PureDP(1.0)
    kept, broken = (right_guesses(response(e, delta), told, 6) for e in (1.0, 3.0))
    for right in (5, 6):  # four are fewer than the claim allows on average
        most = threshold(right, 6, 6, claim)
        assert sum(p for n, p in kept.items() if n >= right) <= most * (1.0 + 1e-6)
        assert sum(p for n, p in broken.items() if n >= right) > most

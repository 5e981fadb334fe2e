"""Screening: plug-in moments against exact sums, and no hope where a claim holds."""

from __future__ import annotations

import itertools
import math
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from audit.betting.bet import Design, EventBet, kelly
from audit.betting.epoch import Allotment
from audit.betting.event_families import Events, Reading
from audit.betting.past import PairPast
from audit.betting.portfolio import Expert, Portfolio, Tally
from audit.betting.screening import Screen, Table
from audit.betting.wealth import Interval, Wealth
from audit.case import Until
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from tests.audit.betting.simulated import Simulated
from tests.audit.betting.stakes import largest_stake

Floats = NDArray[np.float64]
MANY = 1e12
"""Outputs of which frequencies are as good as probabilities."""
LINES = ApproxDP(0.7, 0.05).lines(0.7)
BINNING = Binning.of([0.5])
DESIGNS = {"pairs": Design(), "coins": Design(1, 0.5), "uneven coins": Design(1, 0.2)}


def law(seed: int, bins: int = 4) -> Floats:
    return np.asarray(
        np.random.default_rng(seed).dirichlet(np.ones(bins * bins)).reshape(bins, bins)
    )


def uncounted() -> Reading:
    bins = BINNING.count
    return Reading(Part(OUTPUT), BINNING, np.zeros((2, bins, bins)), np.zeros((2, 2, bins)))


def table(joint: Floats, parts: list[Floats]) -> Floats:
    """Probabilities as `Events` holds them, shape (2, 1, parts squared)."""
    forward = np.array([[one @ joint @ other for other in parts] for one in parts])
    return np.stack([forward.ravel(), forward.T.ravel()])[:, None, :]


def moments(held: Floats, size: float, lines: Floats, design: Design) -> tuple[Floats, Floats]:
    """Of one event, with the probabilities that `Events` holds, from so many outputs."""
    none = {4: np.zeros((2, 0, 9)), 9: np.zeros((2, 0, 4))}[held.shape[2]]
    single, double = (held, none) if held.shape[2] == 4 else (none, held)
    reading = uncounted()
    reading.events = Events(cast(Any, None), single, double, np.array([size]))
    return Table.of([reading], {design: 1}).moments(lines, design)


def brackets(
    joint: Floats, plus: Floats, minus: Floats, line: Floats, design: Design, forward: bool
) -> tuple[Floats, Floats]:
    """All values of the bracket of one output, and their probabilities."""
    slope, offset = (float(part) for part in line)
    gain, cost = (plus, minus) if forward else (minus, plus)
    parts = int(plus.any()) + int(minus.any())
    on_d, on_other = gain - slope * cost, cost - slope * gain
    if design.share is None:
        values = on_d[:, None] + on_other[None, :] - parts * offset
        return values.ravel(), joint.ravel()
    share = design.share
    values = np.concatenate([on_d / share, on_other / (1.0 - share)]) - parts * offset
    chances = np.concatenate([share * joint.sum(axis=1), (1.0 - share) * joint.sum(axis=0)])
    return values, chances


SHAPES = [
    (d, both) for d in DESIGNS.values() for both in (False, True) if d.share is None or not both
]
"""Two events in opposite directions are for pairs."""


@pytest.mark.parametrize(("design", "double"), SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_moments_are_those_of_the_bracket_of_one_output(
    design: Design, double: bool, seed: int
) -> None:
    joint = law(seed)
    plus = np.array([1.0, 1.0, 0.0, 0.0])
    minus = np.array([0.0, 0.0, 1.0, 0.0]) if double else np.zeros(4)
    parts = [plus, minus, 1.0 - plus - minus] if double else [plus, 1.0 - plus]
    mean, variance = moments(table(joint, parts), MANY, LINES, design)
    for direction, place in itertools.product((0, 1), range(len(LINES))):
        values, chances = brackets(joint, plus, minus, LINES[place], design, direction == 0)
        expected = float(values @ chances)
        spread_of = float(values**2 @ chances) - expected**2
        assert mean[direction, 0, place] == pytest.approx(expected, abs=1e-5)
        assert variance[direction, 0, place] == pytest.approx(spread_of, abs=1e-5)


@pytest.mark.parametrize("pairs", [10.0, 100.0, 10_000.0])
def test_means_are_lowered_the_more_the_fewer_outputs_there_are(pairs: float) -> None:
    plus = np.array([1.0, 1.0, 0.0, 0.0])
    held = table(law(0), [plus, 1.0 - plus])
    few, more = (moments(held, size, LINES, Design())[0] for size in (pairs, 10 * pairs))
    exact = moments(held, MANY, LINES, Design())[0]
    assert (few < more).all()
    assert (more < exact).all()


def test_an_event_that_was_never_seen_on_the_other_side_is_not_impossible_there() -> None:
    """Half an output more: the expected cost is positive whatever the frequencies say."""
    held = np.zeros((2, 1, 4))
    held[:, 0, 1], held[:, 0, 3] = 0.4, 0.6
    mean, variance = moments(held, 50.0, PureDP(5.0).lines(5.0), Design())
    assert mean[0, 0, 0] < 0.4 - math.exp(5.0) * 0.5 / 51.0
    assert variance[0, 0, 0] > 0.4 * 0.6 + math.exp(10.0) * 0.5 / 51.0 * 0.9


def screen(claim: Claim, left: Floats, right: Floats, size: float, *, paired: bool) -> Screen:
    """A screen of two bins with frequencies that are exactly these laws."""
    bins = BINNING.count
    own, other = np.zeros(bins), np.zeros(bins)
    own[: len(left)], other[: len(right)] = left, right
    reading = uncounted()
    for half in (0, 1):
        if paired:
            reading.joint[half] = size / 2 * np.outer(own, other)
        else:
            reading.single[half] = size / 2 * np.stack([own, other])
    made = Screen(0, [reading], {Design(): 1})
    made.study(claim.divergences(claim.level))
    return made


def response(epsilon: float) -> tuple[Floats, Floats]:
    p = 1.0 / (1.0 + math.exp(-epsilon))
    return np.array([1.0 - p, p]), np.array([p, 1.0 - p])


def kl(left: Floats, right: Floats) -> float:
    return float((left * np.log(left / right)).sum())


def outputs(*screens: tuple[Screen, int], step: int = 10_000) -> list[int]:
    """Outputs of the next epoch on each pair, by its screen and its outputs so far."""
    pairs = [PairPast(index, units=runs // 2, runs=runs) for index, (_, runs) in enumerate(screens)]
    for past, (held, _) in zip(pairs, screens, strict=True):
        past.screen = held
    wealth = Wealth.against(PureDP(1.0), 0.05)
    bet = rare(0.5, 100).offers(PureDP(1.0), wealth.intervals[0], Design())[0].bet
    for interval in wealth.intervals:
        interval.past.append(Portfolio([Expert(Tally(bet, None), 0.1, 0.5)], 0.2))
    designs = dict.fromkeys(range(len(pairs)), Design())
    limits = Until.BOUND, 10_000, 400_000
    counts = Allotment(Simulated([]), wealth, pairs, designs, *limits).counts(step)
    return [designs[past.pair].runs * counts[past.pair] for past in pairs]


def rare(rate: float, size: int, other: float = 0.0) -> Screen:
    """A screen of an event that is so frequent on one dataset, and so on the other."""
    left, right = (np.array([1.0 - part, part]) for part in (rate, other))
    return screen(PureDP(1.0), left, right, float(size), paired=True)


@pytest.mark.parametrize("turn", [1, -1])
def test_pairs_lead_by_the_level_that_they_may_refute(turn: int) -> None:
    """One that shows less at once, and never shows more, would take all that the other needs."""
    small = screen(PureDP(1.0), *response(0.3), 1e5, paired=True), 20_000
    large = rare(0.02, 10_000, 0.002), 20_000
    low = Interval(0.1, 0.2)
    growths = [held.offers(PureDP(1.0), low, Design())[0].growth for held, _ in (small, large)]
    assert growths[0] < 0.02, growths
    few, many = outputs(*(small, large)[::turn])[::turn]
    assert many > 9_000 > 1_000 > few


def test_pairs_that_reach_one_level_lead_by_growth_there() -> None:
    slow, fast = (screen(PureDP(1.0), *response(e), 1e5, paired=True) for e in (1.06, 1.1))
    few, many = outputs((slow, 20_000), (fast, 20_000), step=200)
    assert many > 9 * few


def test_a_lucky_pair_gets_thrice_its_outputs_at_most() -> None:
    """Its frequencies promise too much, and a pair that is known goes on."""
    known, lucky = outputs((rare(0.03, 10_000, 0.005), 20_000), (rare(0.25, 24), 48))
    assert 96 <= lucky < 96 + 0.05 * 10_000
    assert known > 9_000
    first, second = outputs((rare(0.03, 10_000, 0.005), 20_000), (rare(0.25, 2_400), 4_800))
    assert second > 9_000 > 500 > first


def test_pairs_without_a_bet_share_an_epoch_evenly() -> None:
    none = screen(PureDP(1.0), *response(0.0), 50.0, paired=True)
    assert len(set(outputs(*[(none, 100)] * 4))) == 1
    one, *others = outputs((rare(0.25, 24), 48), *[(none, 48)] * 3)
    assert one == pytest.approx(others[0] + 96, abs=4)


TRUTHS: dict[str, tuple[Claim, float]] = {
    "pure": (PureDP(1.0), 1.0),
    "with delta": (ApproxDP(1.0, 0.01), 1.0),
    "zCDP": (ZCDP(0.5), 0.5),
}


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("size", [20.0, 1_000.0, 1e6])
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_nothing_is_offered_at_a_level_that_is_kept(kind: str, size: float, design: Design) -> None:
    """Randomized response of ε = 1, whose ρ is less than a half; beyond a third of it there is."""
    claim, level = TRUTHS[kind]
    held = screen(claim, *response(1.0), size, paired=design.share is None)
    interval = Interval(0.9 * level, level)
    assert not held.offers(claim, interval, design, level)
    if size > 1e5:
        low = 0.2 * level
        assert held.offers(claim, Interval(0.9 * low, low), design, low)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("claim", [PureDP(1.0), GaussianDP(1.0), ZCDP(0.1)], ids=str)
def test_offers_are_sorted_and_their_stakes_are_valid_in_the_whole_interval(
    claim: Claim, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.betting.screening._EACH", 1_000)
    held = screen(claim, *response(3.0), 4_000.0, paired=design.share is None)
    interval = Interval(0.7 * claim.level, 1.2 * claim.level)
    offers = held.offers(claim, interval, design)
    assert offers
    growths = [offer.growth for offer in offers]
    assert growths == sorted(growths, reverse=True)
    for offer in offers:
        most = largest_stake(offer.bet, claim, interval.high, design.share)
        assert offer.top == pytest.approx(most)
        assert 0.0 < offer.stake(design) <= offer.top
        assert offer.mean > 0.0


def test_two_events_in_opposite_directions_are_offered_for_pairs_alone() -> None:
    claim, interval = PureDP(0.2), Interval(0.1, 0.2)
    kinds: dict[bool, set[int]] = {}
    for design in (Design(), Design(1, 0.5)):
        held = screen(claim, *response(1.0), 4_000.0, paired=design.share is None)
        bets = [offer.bet for offer in held.offers(claim, interval, design)]
        kinds[design.share is None] = {bet.events for bet in bets if isinstance(bet, EventBet)}
    assert kinds == {True: {1, 2}, False: {1}}


def test_the_counts_of_an_offer_are_those_of_its_event() -> None:
    claim = PureDP(0.5)
    held = screen(claim, *response(2.0), 1_000.0, paired=True)
    p, q = response(2.0)
    for offer in held.offers(claim, Interval(0.4, 0.5), Design()):
        bet: Any = offer.bet
        own, other, pairs = bet.counts
        law_of = (p, q) if bet.forward else (q, p)
        event = bet.plus[: len(p)]
        if bet.events == 1:
            assert own == pytest.approx(pairs * law_of[0][event].sum(), abs=1.0)
            assert other == pytest.approx(pairs * law_of[1][event].sum(), abs=1.0)


@pytest.mark.parametrize(("n", "alike", "factor"), [(1, 0.5, 1.0), (8, 0.0, 0.125), (8, 1.0, 1.0)])
def test_the_mean_of_n_brackets_varies_as_its_outputs_are_alike(
    n: int, alike: float, factor: float
) -> None:
    assert float(Design(n).spread(np.array(3.0), alike)) == pytest.approx(3.0 * factor)


@pytest.mark.parametrize(("mean", "stake"), [(-0.1, 0.0), (0.01, 0.0099), (2.0, 0.2)])
def test_the_stake_is_between_nothing_and_the_largest(mean: float, stake: float) -> None:
    found, growth = kelly(np.array(mean), np.array(1.0), np.array(0.2))
    assert float(found) == pytest.approx(stake, rel=0.02)
    assert float(growth) >= 0.0


@pytest.mark.parametrize(
    ("own", "other", "slope"), [(0.0024, 0.00036, 3.67), (0.5, 0.1, 2.7), (0.02, 0.001, 1.1)]
)
def test_the_stake_on_an_event_is_the_one_of_the_largest_log_growth(
    own: float, other: float, slope: float
) -> None:
    """The event happens on D or on D′; the second-order stake is up to two thirds larger."""

    def growth(stake: float) -> float:
        return own * math.log1p(stake) + other * math.log1p(-slope * stake)

    mean = own - slope * other
    variance = own + slope**2 * other - mean**2
    moments = np.array(mean), np.array(variance), np.array(1.0 / slope)
    stake, expected = (float(found) for found in kelly(*moments, slope - 1.0))
    best = minimize_scalar(lambda s: -growth(s), bounds=(0.0, 0.999 / slope), method="bounded")
    assert stake == pytest.approx(best.x, rel=1e-3)
    assert growth(stake) >= growth(float(kelly(*moments)[0]))
    assert expected == pytest.approx(growth(stake), rel=0.2)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_offers_know_by_how_much_a_loss_is_larger_than_a_gain(design: Design) -> None:
    claim, interval = PureDP(0.5), Interval(0.4, 0.5)
    held = screen(claim, *response(2.0), 1_000.0, paired=design.share is None)
    for offer in held.offers(claim, interval, design):
        bet: Any = offer.bet
        gain, cost = design.weights(bet.forward)
        assert offer.lean == pytest.approx(max(0.0, cost * math.exp(offer.level) - gain))

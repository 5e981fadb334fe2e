"""Each cause on a mechanism that has it, and on a twin that has not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.claims import ApproxDP, Claim, GaussianDP, PureDP
from audit.diagnosis.evidence import Observed, Outputs, Sample, named, named_apart
from audit.diagnosis.parts import _tally
from audit.outcomes.encoding import OUTPUT, encode
from audit.relation import Relation
from audit.report.text import WIDTH
from audit.verdict.findings import Cause
from tests.diagnosis.made import NONE, ONE, Mechanism, diagnosed, seen

_FEW_KEYS = ApproxDP(1.0, 0.01)


def _total(data: Any) -> float:
    return float(np.clip(np.asarray(data, dtype=np.float64), 0.0, 1.0).sum())


def integers_times(step: float) -> Mechanism:
    """A count with multiples of geometric noise."""
    return lambda data, rng, n: (
        len(data) + step * (rng.geometric(0.4, n) - rng.geometric(0.4, n)).astype(float)
    )


def laplace(scale: float) -> Mechanism:
    return lambda data, rng, n: _total(data) + rng.laplace(0.0, scale, n)


def gaussian(sigma: float) -> Mechanism:
    return lambda data, rng, n: _total(data) + rng.normal(0.0, sigma, n)


def uniform(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(_total(data) + rng.uniform(-5.0, 5.0, n))


def one_sided(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(_total(data) + rng.exponential(1.0, n))


def with_hole(data: Any, rng: Generator, n: int) -> Outputs:
    sign = 2 * rng.integers(0, 2, n) - 1
    return np.asarray(_total(data) + sign * (1.0 + rng.exponential(1.0, n)))


def exact(data: Any, rng: Generator, n: int) -> Outputs:
    return np.full(n, _total(data))


def exact_beside_noise(data: Any, rng: Generator, n: int) -> Outputs:
    return [{"noisy": one, "rows": len(data)} for one in _total(data) + rng.laplace(0.0, 1.0, n)]


def exact_in_a_tenth(data: Any, rng: Generator, n: int) -> Outputs:
    noisy = _total(data) + rng.laplace(0.0, 1.0, n)
    return np.where(rng.random(n) < 0.1, _total(data), noisy)


def raising(data: Any, rng: Generator, n: int) -> Outputs:
    if not len(data):
        raise ValueError("no record")
    return np.asarray(_total(data) + rng.laplace(0.0, 2.0, n))


def not_a_number(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray((_total(data) + rng.laplace(0.0, 1.0, n)) * (1.0 if len(data) else np.nan))


def as_long_as_data(data: Any, rng: Generator, n: int) -> Outputs:
    return [rng.normal(0.0, 1.0, len(data)).tolist() for _ in range(n)]


def whole_or_not(data: Any, rng: Generator, n: int) -> Outputs:
    kind = int if len(data) else float
    return [kind(round(one)) for one in _total(data) + rng.laplace(0.0, 1.0, n)]


def none_without_records(data: Any, rng: Generator, n: int) -> Outputs:
    noisy = _total(data) + rng.laplace(0.0, 2.0, n)
    return [round(float(one)) if len(data) else None for one in noisy]


def first_color(data: Any, rng: Generator, n: int) -> Outputs:
    return [data[0] if len(data) else None for _ in range(n)]


def keys_above(threshold: float) -> Mechanism:
    def keys(data: Any, rng: Generator, n: int) -> Outputs:
        counts = len(data) + rng.laplace(0.0, 1.0, n)
        return [{"apple": float(c)} if len(data) and c > threshold else {} for c in counts]

    return keys


def size_above_threshold(scale: float) -> Mechanism:
    """The number of records with noise of this scale, where another noisy count is above 2."""

    def shown(data: Any, rng: Generator, n: int) -> Outputs:
        shows = len(data) + rng.laplace(0.0, 2.0, n) > 2.0
        noisy = len(data) + scale * rng.laplace(0.0, 1.0, n)
        return [{"n": float(one)} if s else {} for one, s in zip(noisy, shows, strict=True)]

    return shown


def keys_by_frequency(data: Any, rng: Generator, n: int) -> Outputs:
    keys = sorted(sorted(set(data)), key=list(data).count)
    shown = rng.random((n, len(keys))) < 0.9
    return [{k: float(one) for k, one in zip(keys, row, strict=True) if one} for row in shown]


def scaled_by_range(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.mean(data) + rng.laplace(0.0, 1.0, n) * np.ptp(data))


def scaled_by_size(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(_total(data) / len(data) + rng.laplace(0.0, 1.0 / len(data), n))


def twice(scale: float) -> Mechanism:
    return lambda data, rng, n: _total(data) + rng.laplace(0.0, scale, (n, 2))


def same_noise_twice(data: Any, rng: Generator, n: int) -> Outputs:
    noise = rng.laplace(0.0, 5.0, n)
    return np.column_stack([_total(data) + noise, len(data) + 1.0 - noise])


def one_threshold(data: Any, rng: Generator, n: int) -> Outputs:
    return (np.asarray(data) >= rng.laplace(0.0, 2.0, (n, 1))).astype(int)


def thresholds(data: Any, rng: Generator, n: int) -> Outputs:
    return (np.asarray(data) >= rng.laplace(0.0, 2.0, (n, 2))).astype(int)


def unclipped(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(float(np.sum(data)) + rng.laplace(0.0, 1.0, n))


def response(truth: float) -> Mechanism:
    def answer(data: Any, rng: Generator, n: int) -> Outputs:
        return np.where(rng.random(n) < truth, int(data[0]), 1 - int(data[0]))

    return answer


def lies_about_ones(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(rng.random(n) < 0.7 * data[0], dtype=np.int64)


WRONG: tuple[tuple[Cause, Mechanism, tuple[Any, ...], dict[str, Any]], ...] = (
    (Cause.NO_NOISE, exact, (ONE, NONE), {}),
    (Cause.NO_NOISE, exact_beside_noise, (ONE, NONE), {}),
    (Cause.NO_NOISE, exact_in_a_tenth, (ONE, NONE), {}),
    (Cause.NO_NOISE, integers_times(1.5), (ONE, NONE), {}),
    (Cause.NO_NOISE, integers_times(3.0), (ONE, NONE), {}),
    (Cause.FAILURE, raising, (NONE, ONE), {}),
    (Cause.FAILURE, not_a_number, (ONE, NONE), {}),
    (Cause.STRUCTURE, as_long_as_data, (ONE, NONE), {}),
    (Cause.STRUCTURE, whole_or_not, (ONE, NONE), {}),
    (Cause.STRUCTURE, none_without_records, (ONE, NONE), {}),
    (Cause.STRUCTURE, first_color, (["red"], []), {}),
    (Cause.NO_NOISE, first_color, (["red"], ["blue"]), {}),
    (Cause.STRUCTURE, keys_above(1.5), (["apple"], []), {}),
    (Cause.DELTA_EXCEEDED, keys_above(1.5), (["apple"], []), {"claim": _FEW_KEYS}),
    (Cause.NO_NOISE, size_above_threshold(0.0), (np.ones(3), np.ones(2)), {}),
    (Cause.NO_NOISE, size_above_threshold(0.0), (np.ones(3), np.ones(2)), {"claim": _FEW_KEYS}),
    (Cause.STRUCTURE, keys_by_frequency, (list("abb"), list("aab")), {"claim": _FEW_KEYS}),
    (Cause.SCALE, scaled_by_range, (np.array([0.0, 1.0]), np.array([0.0, 3.0])), {}),
    (Cause.SCALE, scaled_by_size, (ONE, np.ones(2)), {}),
    (Cause.NOISE_TOO_SMALL, laplace(0.5), (ONE, NONE), {}),
    (Cause.NOISE_TOO_SMALL, gaussian(1.0), (ONE, NONE), {"claim": ApproxDP(1.0, 1e-5)}),
    (Cause.NOISE_TOO_SMALL, gaussian(1.0), (ONE, NONE), {"claim": GaussianDP(0.5)}),
    (Cause.WRONG_SHAPE, gaussian(1.0), (ONE, NONE), {}),
    (Cause.NOT_SPLIT, twice(1.0), (ONE, NONE), {}),
    (Cause.SHARED_NOISE, same_noise_twice, (np.array([0.5]), NONE), {}),
    (Cause.SHARED_NOISE, one_threshold, (np.array([1.0, 0.0]), np.array([0.0, 1.0])), {}),
    (Cause.BOUNDED_NOISE, uniform, (ONE, NONE), {}),
    (Cause.BOUNDED_NOISE, one_sided, (ONE, NONE), {}),
    (Cause.BOUNDED_NOISE, with_hole, (ONE, NONE), {}),
    (Cause.CONTRIBUTION, unclipped, (np.array([50.0]), NONE), {"records": (0.0, 100.0)}),
    (Cause.NO_NOISE, lies_about_ones, (ONE, np.zeros(1)), {}),
    (Cause.WRONG_PROBABILITY, response(0.9), (ONE, np.zeros(1)), {}),
)


@pytest.mark.parametrize(("cause", "mechanism", "pair", "more"), WRONG)
def test_a_cause_is_named(
    cause: Cause, mechanism: Mechanism, pair: tuple[Any, ...], more: dict[str, Any]
) -> None:
    assert diagnosed(mechanism, *pair, **more).cause == cause
    assert diagnosed(mechanism, *pair[::-1], **more).cause == cause


RIGHT: tuple[tuple[Mechanism, tuple[Any, ...], dict[str, Any]], ...] = (
    (laplace(2.0), (ONE, NONE), {}),
    (integers_times(1.0), (ONE, NONE), {}),
    (integers_times(1.0), (np.ones(4), np.ones(3)), {}),
    (gaussian(4.0), (ONE, NONE), {"claim": ApproxDP(1.0, 1e-5)}),
    (twice(3.0), (ONE, NONE), {}),
    (keys_above(9.0), (["apple"], []), {"claim": _FEW_KEYS}),
    (size_above_threshold(2.0), (np.ones(3), np.ones(2)), {}),
    (as_long_as_data, (np.zeros(3), np.ones(3)), {}),
    (raising, (ONE, np.zeros(1)), {}),
    (none_without_records, (ONE, np.zeros(1)), {}),
)


@pytest.mark.parametrize(("mechanism", "pair", "more"), RIGHT)
def test_no_cause_is_named_without_one(
    mechanism: Mechanism, pair: tuple[Any, ...], more: dict[str, Any]
) -> None:
    assert diagnosed(mechanism, *pair, **more).cause == Cause.UNKNOWN


@pytest.mark.parametrize(("cause", "mechanism", "pair", "more"), WRONG)
def test_cause_and_fix_are_said_first_and_in_one_line(
    cause: Cause, mechanism: Mechanism, pair: tuple[Any, ...], more: dict[str, Any]
) -> None:
    """The short answer cuts what follows the first sentence."""
    found = diagnosed(mechanism, *pair, **more)
    for name, text in (("Likely cause", found.sentence), ("To fix", found.advice)):
        first, stop, _ = text.partition(". ")
        assert len(f"{name}: {first}{'. …' if stop else ''}") <= WIDTH, text


@pytest.mark.parametrize(("scale", "cause"), [(0.5, Cause.NOISE_TOO_SMALL), (2.0, Cause.UNKNOWN)])
@pytest.mark.parametrize("form", ["total: {:.2f} units", '{{"total": {}}}'])
def test_a_number_in_a_text_has_noise(scale: float, cause: Cause, form: str) -> None:
    def told(data: Any, rng: Generator, n: int) -> Outputs:
        return [form.format(one) for one in _total(data) + rng.laplace(0.0, scale, n)]

    found = diagnosed(told)
    assert found.cause == cause
    if cause is Cause.NOISE_TOO_SMALL:
        assert found.numbers["factor"] == pytest.approx(2.0, rel=0.15)


def test_parts_of_one_record_each_keep_the_claim_if_the_budget_is_split() -> None:
    assert diagnosed(twice(0.5)).cause == Cause.NOISE_TOO_SMALL


@pytest.mark.parametrize(
    ("q", "claim", "cause"),
    [
        (0.0, PureDP(1.0), Cause.STRUCTURE),
        (0.004, PureDP(1.0), Cause.UNKNOWN),
        (0.0, ApproxDP(1.0, 0.01), Cause.UNKNOWN),
    ],
)
def test_a_rare_key_that_the_test_saw_on_one_dataset_alone(
    q: float, claim: Claim, cause: Cause
) -> None:
    """Fresh runs of the diagnosis are too few to show it."""
    rare = Observed(event="key 'a' is present", p=0.013, q=q, draws=4_400, presence=True)
    found = diagnosed(lambda data, rng, n: [{}] * n, observed=rare, claim=claim, runs=100)
    assert found.cause == cause
    assert ("Key 'a' is present in 1.3% of the runs" in found.sentence) == (cause != Cause.UNKNOWN)


@pytest.mark.parametrize(
    ("scale", "cause"),
    [(1.0, Cause.NOT_SPLIT), (0.3, Cause.WRONG_PROBABILITY), (3.0, Cause.NOT_SPLIT)],
)
def test_a_label_and_its_number_exceed_the_budget_together(scale: float, cause: Cause) -> None:
    """The event says that both do; a label that exceeds it alone is another cause."""

    def winner(data: Any, rng: Generator, n: int) -> Outputs:
        counts = np.array([[float(len(data))], [0.0], [0.0]])
        best = (counts + rng.laplace(0.0, scale, (3, n))).argmax(axis=0)
        noisy = counts[best, 0] + rng.laplace(0.0, 1.0, n)
        return [("abc"[place], one) for place, one in zip(best, noisy.tolist(), strict=True)]

    parts = ("output[0]", "output[1]")
    said = "output[0] is 'a' and output[1] is at least 0.9"
    event = Observed(event=said, p=0.31, q=0.07, draws=4_000, parts=parts)
    assert diagnosed(winner, observed=event).cause == cause


@pytest.mark.parametrize(("truth", "cause"), [(0.7, Cause.WRONG_PROBABILITY), (0.4, Cause.UNKNOWN)])
def test_one_answer_of_many_people_is_too_likely(truth: float, cause: Cause) -> None:
    """Their answers together take too many values to be counted."""

    def answers(data: Any, rng: Generator, n: int) -> Outputs:
        lies = (np.asarray(data) + rng.integers(1, 4, (n, len(data)))) % 4
        told = np.where(rng.random(lies.shape) < truth, np.asarray(data), lies)
        return [["abcd"[one] for one in row] for row in told]

    found = diagnosed(answers, [0, 1, 2, 3, 0, 1], [0, 1, 2, 2, 0, 1])
    assert found.cause == cause
    assert ("Output[3] is '" in found.sentence) == (cause != Cause.UNKNOWN)


@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(1.0, 1e-5)])
def test_advice_to_split_a_budget_is_for_all_parts_and_thresholds(claim: Claim) -> None:
    advice = diagnosed(twice(1.0), claim=claim).advice
    assert advice.startswith("Multiply the noise of all parts by about 1.9.")
    assert ("raise it with the noise" in advice) == isinstance(claim, ApproxDP)


@pytest.mark.parametrize("whole", [True, False])
def test_noise_on_integers_is_drawn_anew_not_multiplied(whole: bool) -> None:
    """Multiples of whole numbers leave gaps that show the exact count."""

    def noisy(data: Any, rng: Generator, n: int) -> Outputs:
        geometric = rng.geometric(0.8, n) - rng.geometric(0.8, n)
        return len(data) + (geometric.astype(float) if whole else rng.laplace(0.0, 0.5, n))

    found = diagnosed(noisy)
    assert found.cause == Cause.NOISE_TOO_SMALL
    assert ("geometric or rounded Laplace" in found.sentence) == whole
    assert found.advice.startswith("Draw noise of about" if whole else "Multiply the noise by")


def test_independent_thresholds_share_no_noise() -> None:
    found = diagnosed(thresholds, np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert found.cause != Cause.SHARED_NOISE


def test_a_domain_that_noise_nearly_pays_for_is_no_missing_bound() -> None:
    found = diagnosed(
        lambda data, rng, n: float(np.sum(data)) + rng.laplace(0.0, 50.0, n),
        np.array([100.0]),
        records=(0.0, 100.0),
    )
    assert found.cause == Cause.NOISE_TOO_SMALL
    assert found.numbers["factor"] == pytest.approx(2.0, rel=0.15)


def test_rows_of_a_user_are_no_missing_bound_if_they_are_bounded() -> None:
    import pandas as pd

    def rows(most: float) -> Mechanism:
        return lambda data, rng, n: min(len(data), most) + rng.laplace(0.0, 1.0, n)

    pair = pd.DataFrame({"user": [0] * 5}), pd.DataFrame({"user": []})
    user = {"relation": Relation.USER}
    assert diagnosed(rows(np.inf), *pair, **user).cause == Cause.CONTRIBUTION
    assert diagnosed(rows(5.0), *pair, **user).cause == Cause.NOISE_TOO_SMALL


@pytest.mark.parametrize(("sigma", "factor"), [(1.0, 3.7306), (2.0, 1.8653)])
def test_the_factor_is_that_of_the_analytic_gaussian(sigma: float, factor: float) -> None:
    found = diagnosed(gaussian(sigma), claim=ApproxDP(1.0, 1e-5))
    assert found.numbers["factor"] == pytest.approx(factor, rel=0.15)


def test_the_worst_record_of_the_domain_says_how_much_noise_is_needed() -> None:
    found = diagnosed(
        lambda data, rng, n: float(np.sum(data)) + rng.laplace(0.0, 50.0, n),
        np.array([60.0]),
        records=(0.0, 100.0),
    )
    assert found.numbers["shift"] == pytest.approx(100.0, rel=0.15)


_EMPTY = np.array([], dtype=np.int64)


def _summed(scale: float, column: str | None = None, most: float = np.inf) -> Mechanism:
    def release(data: Any, rng: Generator, n: int) -> Outputs:
        values = np.asarray(data if column is None else data[column])
        return float(np.clip(values, 0, most).sum()) + rng.laplace(0.0, scale, n)

    return release


@pytest.mark.parametrize(
    ("scale", "record", "more", "cause"),
    [
        (200.0, 1000, {}, Cause.NOISE_TOO_SMALL),
        (200.0, 600, {"records": (0, 1000)}, Cause.NOISE_TOO_SMALL),
        (50.0, 1000, {}, Cause.CONTRIBUTION),
    ],
)
def test_values_that_nobody_clips_may_be_clipped_to_the_bound_that_the_noise_is_for(
    scale: float, record: int, more: dict[str, Any], cause: Cause
) -> None:
    found = diagnosed(_summed(scale), np.array([record]), _EMPTY, **more)
    assert found.cause == cause
    said = r"Clip each value to about (\S+) at most, or to 1,000 with (\S+) t"
    advice = re.match(said, found.advice)
    assert advice is not None, found.advice
    assert float(advice[1]) == pytest.approx(scale, rel=0.15)
    assert float(advice[2]) == pytest.approx(1000.0 / scale, rel=0.15)


def test_records_that_change_may_be_clipped_too() -> None:
    pair = np.array([0]), np.array([1000])
    for ordered in (pair, pair[::-1]):
        found = diagnosed(_summed(200.0), *ordered, relation=Relation.SUBSTITUTE)
        assert found.advice.startswith("Clip each value to about 2"), found.advice


@pytest.mark.parametrize(("column", "bound"), [("income", "400"), ("age", "20")])
def test_the_column_that_moves_the_output_is_named(column: str, bound: str) -> None:
    import pandas as pd

    people = pd.DataFrame({"age": [50], "income": [1000]})
    found = diagnosed(_summed(float(bound), column), people, people.iloc[:0])
    assert found.cause == Cause.NOISE_TOO_SMALL
    first, _, second = found.advice.partition(". ")
    said = re.match(rf"Clip '{column}' to about (\S+) at most, or to \S+ with 2\.\d times", first)
    assert said is not None and float(said[1]) == pytest.approx(float(bound), rel=0.15)
    assert second.startswith("ε = 1 needs a scale of about")


@pytest.mark.parametrize(
    "release",
    [_summed(50.0, most=100.0), laplace(0.5), lambda d, rng, n: _summed(1e3)(d**2, rng, n)],
)
def test_values_that_are_clipped_or_squared_have_no_such_bound(release: Mechanism) -> None:
    found = diagnosed(release, np.array([100]), _EMPTY)
    assert found.cause in (Cause.NOISE_TOO_SMALL, Cause.CONTRIBUTION)
    assert not found.advice.startswith("Clip each value to about")


def test_an_epsilon_of_0_allows_no_dependence_on_the_data() -> None:
    found = diagnosed(laplace(1.0), claim=PureDP(0.0))
    assert "no dependence on the data at all" in found.sentence
    assert "Claim an ε above 0" in found.advice


def test_a_certain_event_that_no_part_explains_has_no_noise() -> None:
    def capitals(data: Any, rng: Generator, n: int) -> Outputs:
        texts = [f"x{one:.9f}" for one in rng.random(n)]
        return [text.upper() if len(data) else text for text in texts]

    assert diagnosed(capitals, observed=seen("it has capitals", 1.0, 0.0)).cause == Cause.NO_NOISE
    assert diagnosed(capitals, observed=seen("it has capitals", 0.6, 0.1)).cause == Cause.UNKNOWN


@pytest.mark.parametrize(("sort", "shared"), [(True, True), (False, False)])
def test_an_order_without_noise_is_shared_noise(sort: bool, shared: bool) -> None:
    def ordered(data: Any, rng: Generator, n: int) -> Outputs:
        noisy = rng.normal(0.0, 9.0, (n, 3))
        return (np.sort(noisy, axis=1) if sort else noisy)[:, :: 1 if len(data) else -1]

    assert (diagnosed(ordered).cause == Cause.SHARED_NOISE) is shared


def test_a_certain_event_of_several_numbers_is_a_relation_without_noise() -> None:
    def with_equals(data: Any, rng: Generator, n: int) -> Outputs:
        noisy, at = rng.normal(0.0, 9.0, (n, 4)), rng.integers(0, 3, n)
        noisy[np.arange(n), at + 1] = noisy[np.arange(n), at] + (0.0 if len(data) else 1.0)
        return noisy

    assert diagnosed(with_equals, observed=seen("two equal", 1.0, 0.0)).cause == Cause.SHARED_NOISE
    assert diagnosed(with_equals, observed=seen("two equal", 0.5, 0.3)).cause != Cause.SHARED_NOISE


def test_a_session_is_diagnosed_as_composition() -> None:
    def answers(data: Any, rng: Generator, n: int) -> Outputs:
        return [(len(data["data"]) + rng.laplace(0.0, 1.0, 3)).tolist() for _ in range(n)]

    pair = ({"data": [1], "questions": [1, 1, 1]}, {"data": [], "questions": [1, 1, 1]})
    found = diagnosed(answers, *pair, observed=seen("the sum is at least 2", 0.6, 0.1))
    assert found.cause == Cause.COMPOSITION
    assert found.numbers["questions"] == 3


def test_a_multiplied_output_has_no_scale_of_the_data() -> None:
    def exponential(data: Any, rng: Generator, n: int) -> Outputs:
        return np.asarray(np.exp(len(data) + rng.laplace(0.0, 0.3, n)))

    assert diagnosed(exponential).cause != Cause.SCALE


def seeded(seeds: int, step: float = 0.0) -> Mechanism:
    """A count with Laplace noise of a generator with so many seeds, in multiples of a step."""

    def release(data: Any, rng: Generator, n: int) -> Outputs:
        known = np.random.default_rng(0).laplace(0.0, 1.0, seeds)
        noise = known[rng.integers(0, seeds, n)]
        return np.asarray(len(data) + (np.rint(noise / step) * step if step else noise))

    return release


@pytest.mark.parametrize("seeds", [100, 1_000, 65_536])
def test_noise_of_few_seeds_has_few_values(seeds: int) -> None:
    diagnosis = diagnosed(seeded(seeds), runs=4_000)
    assert diagnosis.cause == Cause.FEW_VALUES
    assert diagnosis.numbers["values"] == pytest.approx(seeds, rel=0.1)
    assert diagnosis.numbers["different"] <= min(seeds, 4_000)
    # Steps that both datasets share or do not, noise of full entropy, numbers that are cut off.
    for other in (seeded(seeds, 0.25), decimals, laplace(0.5), clipped_after(0.5)):
        assert diagnosed(other, runs=4_000).cause != Cause.FEW_VALUES


def decimals(data: Any, rng: Generator, n: int) -> Outputs:
    """Two decimals on one dataset, and a third one, which is 5, on the other."""
    shown = np.round(30.0 * rng.laplace(0.0, 1.0, n) + 100.0 * rng.random(n), 2)
    return np.asarray(shown + 0.005 * (len(data) % 2))


def clipped_after(scale: float) -> Mechanism:
    """Noisy numbers that are cut off at a half and at 1.5."""
    return lambda data, rng, n: np.clip(_total(data) + rng.laplace(0.0, scale, n), 0.5, 1.5)


@pytest.mark.parametrize("runs", [100, 2_000])
def test_integers_are_no_spikes(runs: int) -> None:
    def integers(data: Any, rng: Generator, n: int) -> Outputs:
        return np.rint(3 * len(data) + rng.laplace(0.0, 1.0, n))

    assert diagnosed(integers, runs=runs).cause == Cause.NOISE_TOO_SMALL


def test_a_name_that_one_dataset_alone_holds_is_structure() -> None:
    def chosen(data: Any, rng: Generator, n: int) -> Outputs:
        return [str(one) for one in rng.choice(data, n)]

    assert diagnosed(chosen, ["a", "b"], ["a"]).cause == Cause.STRUCTURE
    assert diagnosed(chosen, ["a", "b", "b"], ["a", "b"]).cause != Cause.STRUCTURE


def test_a_value_that_is_none_is_structure() -> None:
    def missing_stays_missing(data: Any, rng: Generator, n: int) -> Outputs:
        return [[None if x is None else float(np.clip(x + z, 0, 10)) for x in data] for z in _z(n)]

    def replaced(data: Any, rng: Generator, n: int) -> Outputs:
        return [[float(np.clip((5 if x is None else x) + z, 0, 10)) for x in data] for z in _z(n)]

    def _z(n: int) -> Any:
        return np.random.default_rng(n).laplace(0.0, 10.0, n)

    found = diagnosed(missing_stays_missing, [5], [None], relation=Relation.SUBSTITUTE)
    assert found.cause == Cause.STRUCTURE
    assert "is None in all of the runs on [null]" in found.sentence
    assert found.advice.startswith("Return a noisy default for every input, also for [null] (SQL:")
    assert diagnosed(replaced, [5], [None], relation=Relation.SUBSTITUTE).cause == Cause.UNKNOWN


@pytest.mark.parametrize("row", [lambda value: value, lambda value: {"sum": value, "rows": 1}])
def test_a_query_that_is_null_without_rows_needs_a_default(row: Callable[[Any], Any]) -> None:
    def total(data: Any, rng: Generator, n: int) -> Outputs:
        noisy = rng.laplace(0.0, 10.0, n).tolist()
        return [row(sum(data) + one if len(data) else None) for one in noisy]

    found = diagnosed(total)
    assert found.cause == Cause.STRUCTURE
    assert found.advice == "Return a noisy default for empty data (SQL: coalesce(…, 0))."


@pytest.mark.parametrize("records", [(50.0,), (26.0, 0.0, 100.0)])
def test_noise_that_larger_datasets_have_follows_the_data(records: tuple[float, ...]) -> None:
    def average(data: Any, rng: Generator, n: int) -> Outputs:
        if len(data) == 0:
            return np.zeros(n)
        return np.asarray(np.mean(data) + rng.laplace(0.0, 1.0, n) * 3 * np.ptp(data) / len(data))

    found = diagnosed(average, np.array([26.0]), NONE, records=records, runs=100)
    assert found.cause == Cause.SCALE
    assert found.sentence.startswith("Sensitivity is read from the data. The noise scale")
    found = diagnosed(exact, np.array([26.0]), NONE, records=records, runs=100)
    assert found.cause == Cause.NO_NOISE


@pytest.mark.parametrize("records", [(), (50.0,), (26.0, 0.0, 100.0)])
@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_branch_without_noise_is_no_scale_of_the_data(
    records: tuple[float, ...], most: int
) -> None:
    """Noise of one scale on some datasets and none on others; by the range it differs."""

    def counted(data: Any, rng: Generator, n: int) -> Outputs:
        return np.asarray(len(data) + rng.laplace(0.0, 2.0, n) * (len(data) > most))

    pair = np.full(most + 1, 26.0), np.full(most, 26.0)
    found = diagnosed(counted, *pair, records=records, runs=500)
    assert found.cause == Cause.NO_NOISE and found.sentence.startswith("A branch has no noise")
    assert found.numbers["scale"] == pytest.approx(2.0, rel=0.2)

    def ranged(data: Any, rng: Generator, n: int) -> Outputs:
        return np.asarray(len(data) + rng.laplace(0.0, 1.0, n) * (np.ptp([*data, 20.0])))

    found = diagnosed(ranged, *pair, records=records or (50.0,), runs=500)
    assert found.cause != Cause.NO_NOISE


def test_noise_that_follows_the_data_is_shown_on_the_pair_itself() -> None:
    """Larger datasets, on which it has more noise, tell the statistic."""

    def growing(data: Any, rng: Generator, n: int) -> Outputs:
        return np.asarray(rng.laplace(0.0, 10.0 * len(data), n))

    found = diagnosed(growing, np.array([5.0, 5.0]), np.array([5.0]), records=(5.0,))
    assert found.cause == Cause.SCALE and found.numbers["statistic"] == "the number of records"
    assert found.numbers["scale_low"] == pytest.approx(10.0, rel=0.1)
    assert found.numbers["scale_high"] == pytest.approx(20.0, rel=0.1)
    assert "on [5]" in found.sentence and "on [5, 5])" in found.sentence


@pytest.mark.parametrize("runs", [100, 216, 2_000])
def test_close_runs_are_no_spike_if_they_are_close_elsewhere(runs: int) -> None:
    def rounded(data: Any, rng: Generator, n: int) -> Outputs:
        return np.round(10 * len(data) + rng.laplace(0.0, 8.0, n), 2)

    assert diagnosed(rounded, runs=runs).cause == Cause.NOISE_TOO_SMALL
    assert diagnosed(exact_in_a_tenth, runs=max(runs, 500)).cause == Cause.NO_NOISE


@pytest.mark.parametrize("runs", [200, 2_000])
def test_few_values_are_a_choice_and_no_noise(runs: int) -> None:
    found = diagnosed(response(0.95), ONE, np.zeros(1), runs=runs)
    assert found.cause == Cause.WRONG_PROBABILITY


def test_an_event_of_several_parts_is_no_output_that_is_too_likely() -> None:
    def both(data: Any, rng: Generator, n: int) -> Outputs:
        return np.column_stack([np.asarray(response(0.75)(data, rng, n)) for _ in range(2)])

    def noised(data: Any, rng: Generator, n: int) -> Outputs:
        return np.asarray(both(data, rng, n)) + rng.integers(0, 2, (n, 2))

    known = {"observed": seen("the sum of the output is at least 1", 0.9, 0.3), "runs": 40}
    assert diagnosed(noised, ONE, np.zeros(1), **known).cause == Cause.UNKNOWN
    assert diagnosed(both, ONE, np.zeros(1), **known).cause == Cause.WRONG_PROBABILITY
    assert diagnosed(response(0.75), ONE, np.zeros(1), **known).cause == Cause.WRONG_PROBABILITY


def test_an_event_that_one_dataset_never_gives_is_no_matter_of_odds() -> None:
    rare = {"observed": seen("key 'apple' is present", 0.05, 0.0), "runs": 100}
    pair: tuple[Any, Any] = (["apple"], [])
    found = diagnosed(keys_above(3.3), *pair, claim=_FEW_KEYS, **rare)
    assert found.cause == Cause.DELTA_EXCEEDED
    assert "5% of 400 runs" in found.sentence
    assert diagnosed(keys_above(3.3), *pair, **rare).cause == Cause.UNKNOWN


def test_the_largest_of_noisy_values_is_not_of_a_known_shape() -> None:
    def largest(scale: float, noise: str) -> Mechanism:
        return lambda data, rng, n: len(data) + getattr(rng, noise)(size=(n, 3)).max(axis=1) * scale

    event = seen("the output is below 0.9", 0.3, 0.0)
    found = diagnosed(largest(1.0, "exponential"), NONE, ONE, observed=event)
    assert found.cause == Cause.BOUNDED_NOISE
    assert diagnosed(largest(0.5, "laplace"), NONE, ONE).cause != Cause.BOUNDED_NOISE


def test_datasets_are_named_so_that_they_can_be_told_apart() -> None:
    long, other = "a" * 70, "b" * 70
    assert named([long]) == f'["{"a" * 58}…'
    assert named([long, other]) == "2 records"
    samples: tuple[list[Any], ...] = ([long], [other], [long, other], [other, long], [1], [])
    one, another, several, turned, single, nobody = (Sample.of(data, [0.0]) for data in samples)
    assert named_apart(one, another) == (named([long]), named([other]))
    assert named_apart(several, turned) == ("2 records", "its neighbor")
    assert named_apart(single, nobody) == ("[1]", "[]")


def choice(shares: dict[int, tuple[float, ...]]) -> Mechanism:
    """Three outputs with these probabilities, by the number of records."""

    def chosen(data: Any, rng: Generator, n: int) -> Outputs:
        return rng.choice(3, n, p=shares[len(data)])

    return chosen


@pytest.mark.parametrize(("rare", "bounded"), [(0.0, False), (0.02, True)])
def test_odds_without_a_run_on_the_other_dataset_have_no_factor(rare: float, bounded: bool) -> None:
    mechanism = choice({1: (0.4, 0.3, 0.3), 0: (rare, 0.5 - rare, 0.5)})
    found = diagnosed(mechanism, ONE, NONE, observed=seen("the output is exactly 0", 0.4, rare))
    assert found.cause == Cause.WRONG_PROBABILITY
    assert ("Divide the log of the ratio of both probabilities by" in found.advice) is bounded
    assert ("factor" in found.numbers) is bounded
    assert ("in none of 2,000 runs on []" in found.sentence) is not bounded


@pytest.mark.parametrize(("claim", "least"), [(PureDP(1.0), 0.147), (ApproxDP(1.0, 0.1), 0.110)])
def test_an_output_that_one_dataset_never_gives_needs_what_the_claim_asks_for(
    claim: Claim, least: float
) -> None:
    mechanism = choice({1: (0.4, 0.3, 0.3), 0: (0.0, 0.5, 0.5)})
    found = diagnosed(mechanism, ONE, NONE, claim=claim)
    assert found.cause == Cause.WRONG_PROBABILITY
    said = re.search(r"here with probability (\S+) or more", found.advice)
    assert said is not None
    assert float(said[1]) == pytest.approx(least, abs=0.015)


def test_numbers_that_read_alike_count_together() -> None:
    """Of 50 runs of one and 30 of the other, 30 were counted."""
    column = encode(np.repeat([1000001.0, 1000002.0], [50, 30]), 80).column(OUTPUT)
    assert _tally(column, numbers=True) == {"1e+06": 80}

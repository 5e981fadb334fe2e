"""How much noise is needed: exact with common random numbers, in words of an estimate else."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.claims import ApproxDP, PureDP
from audit.diagnosis.contribution import COMPUTED, _proportional
from audit.diagnosis.evidence import Coupled, Observed, Outputs, about, enough, found
from audit.diagnosis.likely_cause import likely_cause
from audit.diagnosis.shifts import Shift
from audit.verdict.findings import Cause, Diagnosis
from tests.diagnosis.made import NONE, Mechanism, drawing

_TWO = np.array([2.0])
_WEIGHTS = np.array([1.0, 0.5, 0.5, 0.25])


def noisy_sum(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.sum(data) + rng.laplace(0.0, 1.0, n))


def laplace_vector(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.sum(data) * _WEIGHTS + rng.laplace(0.0, 1.0, (n, 4)))


def gaussian_vector(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.sum(data) * _WEIGHTS + rng.normal(0.0, 1.0, (n, 4)))


def noisy_scale(data: Any, rng: Generator, n: int) -> Outputs:
    """Draws other numbers with a record than without: the runs of two datasets do not match."""
    rng.random(3 * len(data))
    return noisy_sum(data, rng, n)


def coupling(mechanism: Mechanism) -> Coupled:
    def coupled(one: Any, other: Any, runs: int) -> tuple[list[Any], list[Any]]:
        return tuple(  # type: ignore[return-value]
            [np.asarray(mechanism(data, np.random.default_rng(run), 1))[0] for run in range(runs)]
            for data in (one, other)
        )

    return coupled


def diagnosed(mechanism: Mechanism, *, coupled: bool, runs: int = 2_000, **more: Any) -> Diagnosis:
    given = {"claim": PureDP(1.0), **more}
    return likely_cause(
        drawing(mechanism),
        _TWO,
        NONE,
        coupled=coupling(mechanism) if coupled else None,
        runs=runs,
        **given,
    )


@pytest.mark.parametrize("runs", [200, 2_000])
def test_common_random_numbers_give_the_exact_scale(runs: int) -> None:
    cause = diagnosed(noisy_sum, coupled=True, runs=runs)
    assert cause.cause == Cause.NOISE_TOO_SMALL
    assert cause.numbers["shift"] == pytest.approx(2.0, rel=1e-9)
    assert "moves the output by 2 ([2] and [])." in cause.sentence
    assert "ε = 1 needs a scale of 2 here " in cause.advice
    assert cause.advice.endswith("needs a scale of 2 here (Δ/ε).")


def test_failed_runs_do_not_count() -> None:
    def failing(one: Any, other: Any, runs: int) -> tuple[Any, Any]:
        left, right = coupling(noisy_sum)(one, other, runs)
        return [ValueError("now and then"), *left[1:]], right

    cause = likely_cause(drawing(noisy_sum), _TWO, NONE, claim=PureDP(1.0), coupled=failing)
    assert "moves the output by 2 ([2] and [])." in cause.sentence


def test_the_simplest_pair_that_moves_as_far_is_named() -> None:
    worst = np.zeros(6), np.append(np.zeros(6), 5.0)
    more: dict[str, Any] = {"coupled": True, "worst": worst}
    assert "by 5 ([5] and [])." in diagnosed(noisy_sum, records=(5.0,), **more).sentence
    assert "by 5 ([0, 0, 0, 0, 0, 0] and " in diagnosed(noisy_sum, records=(4.0,), **more).sentence


def histogram(data: Any, rng: Generator, n: int) -> Outputs:
    """Bin edges are read from the data."""
    counts, _ = np.histogram(data, np.linspace(np.min(data, initial=0), max([1, *data]), 4))
    return np.asarray(counts + rng.laplace(0.0, 1.0, (n, 3)))


def histogram_of_fixed_bins(data: Any, rng: Generator, n: int) -> Outputs:
    counts, _ = np.histogram(data, [0, 3, 6, 10])
    return np.asarray(counts + rng.laplace(0.0, 0.5, (n, 3)))


@pytest.mark.parametrize(
    ("mechanism", "grows"),
    [(histogram, True), (histogram_of_fixed_bins, False), (noisy_sum, False)],
)
@pytest.mark.parametrize("on_worst", [False, True])
def test_an_effect_that_grows_with_the_number_of_records_is_the_cause(
    mechanism: Mechanism, grows: bool, on_worst: bool
) -> None:
    pair = np.array([2.0, 2.0, 2.0, 9.0]), np.array([2.0, 2.0, 2.0])
    first = (np.array([9.0]), np.array([])) if on_worst else pair
    cause = likely_cause(
        drawing(mechanism),
        *first,
        claim=PureDP(1.0),
        coupled=coupling(mechanism),
        worst=pair if on_worst else None,
    )
    assert (cause.cause == Cause.CONTRIBUTION) is grows
    said = (
        "grows with the number of records. It moves 3 parts by 5 among 4 records and by 17 among 10"
    )
    assert (said in cause.sentence) is grows


def quotient(data: Any, rng: Generator, n: int) -> Outputs:
    noisy = np.sum(data) + rng.laplace(0.0, 5.0, n)
    return np.asarray(noisy / np.maximum(len(data) + rng.laplace(0.0, 0.5, n), 1.0))


def test_noise_that_is_divided_gives_no_factor() -> None:
    given: dict[str, Any] = {"claim": PureDP(1.0), "coupled": coupling(quotient)}
    divided = likely_cause(drawing(quotient), np.array([10.0]), NONE, **given)
    added = diagnosed(noisy_scale, coupled=True)
    assert divided.cause == added.cause == Cause.NOISE_TOO_SMALL
    assert divided.advice == COMPUTED
    assert COMPUTED not in added.advice


@pytest.mark.parametrize("mechanism", [noisy_sum, noisy_scale])
def test_an_estimate_is_worded_as_one(mechanism: Mechanism) -> None:
    cause = diagnosed(mechanism, coupled=mechanism is noisy_scale)
    assert cause.cause == Cause.NOISE_TOO_SMALL
    assert re.search(
        r"by about (2|2\.1|1\.9) \(\[2\] and \[\], estimated from 2,000 runs each\)", cause.sentence
    )
    assert re.search(r"needs a scale of about (2|2\.1|1\.9) here", cause.advice)
    assert "at least" not in cause.sentence + cause.advice


def logistic(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.clip(data, 0, 2).sum() + rng.logistic(0.0, 0.5, n))


@pytest.mark.parametrize(("coupled", "moved"), [(True, "by 2: "), (False, "by about 2: ")])
@pytest.mark.parametrize(("p", "advice"), [(0.6, "Increase the noise"), (0.98, "Multiply the ")])
def test_noise_of_no_known_shape_is_estimated_and_its_shift_exact_where_it_can_be(
    coupled: bool, moved: str, p: float, advice: str
) -> None:
    observed = Observed(event="the output is at least 1", p=p, q=0.22, draws=400)
    cause = diagnosed(logistic, coupled=coupled, observed=observed)
    assert cause.cause == Cause.NOISE_TOO_SMALL
    assert re.search(rf"standard deviation 0\.9\d? on both datasets, .+ {moved}", cause.sentence)
    assert cause.advice.startswith(advice)
    assert (" or more, or release" in cause.advice) is advice.startswith("Multiply")


@pytest.mark.parametrize("coupled", [True, False])
@pytest.mark.parametrize(
    ("mechanism", "claim", "norm", "needed"),
    [
        (laplace_vector, PureDP(1.0), 4.5, 4.5),
        (gaussian_vector, ApproxDP(1.0, 1e-5), 2.5, 3.7306 * 2.5),
    ],
)
def test_parts_noised_alike_move_together(
    mechanism: Mechanism, claim: Any, norm: float, needed: float, coupled: bool
) -> None:
    cause = diagnosed(mechanism, coupled=coupled, claim=claim)
    numbers = cause.numbers
    assert cause.cause == Cause.NOISE_TOO_SMALL
    assert numbers["parts"] == 4
    assert numbers["shift"] == pytest.approx(norm, rel=1e-9 if coupled else 0.1)
    assert numbers["factor"] * numbers["scale"] == pytest.approx(
        needed, rel=1e-3 if coupled else 0.1
    )


def test_the_coefficient_of_gaussian_noise_is_that_of_the_claim() -> None:
    cause = diagnosed(gaussian_vector, coupled=True, claim=ApproxDP(1.0, 1e-5))
    assert cause.advice.endswith("(3.74 · Δ).")


def test_numbers_are_rounded() -> None:
    assert [about(x) for x in (1.96, 7.46, 16.4, 1_234.0)] == ["2", "7.5", "16", "1,200"]
    assert [enough(x) for x in (2.0, 3.7306, 100.000001, 0.1234)] == ["2", "3.74", "100", "0.124"]
    cause = found(Cause.UNKNOWN, "at 98768.97424315845, 1.5 and v1.2.3456789", "x 0.1234567")
    assert cause.sentence == "at 98769, 1.5 and v1.2.3456789"
    assert cause.advice == "x 0.123457"


@pytest.mark.parametrize(
    ("size", "error", "grows"),
    [(903.0, 56.0, True), (903.0, 0.0, False), (72.0, 8.0, False), (663.0, 0.0, True)],
)
def test_a_shift_grows_as_the_value_does_if_errors_explain_the_rest(
    size: float, error: float, grows: bool
) -> None:
    before = Shift(66.3, 5.8 if error else 0.0, 50, [100], [])
    assert _proportional(before, Shift(size, error, 22, [1000], [])) is grows

"""A claim that is a curve: what is one, what is bet on, what it keeps and what breaks it."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator

import audit
from audit.claims import check_claim, claim_from
from audit.claims.profile import MOST_ROWS, ProfileDP, chosen_rows, profile_claim
from audit.errors import InputError
from audit.report.curve_chart import Curve, size_pictures
from audit.report.restore import restore
from audit.verdict.result import AuditResult
from tests.calibration.profiles import (
    DEVIATION,
    RATE,
    STEPS,
    composed,
    composed_delta,
    subsampled,
)
from tests.calibration.truth import gaussian_delta, subsampled_gaussian_delta

ROWS = ((0.0, 0.4), (0.5, 0.2), (1.0, 0.05))


def written(path: Path, text: str) -> Path:
    file = path / "curve.csv"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "a curve without rows promises nothing"),
        ([(0.0, 1.5)], "delta 1.5 in row 1 of the curve is not between 0 and 1"),
        ([(0.0, -0.1)], "delta -0.1 in row 1"),
        ([(0.0, math.nan)], "delta nan in row 1"),
        ([(math.nan, 0.1)], "epsilon nan in row 1"),
        ([(-1.0, 0.1)], "epsilon -1.0 in row 1"),
        ([(math.inf, 0.1)], "epsilon inf in row 1"),
        ([(0.0, 0.1), (1.0, 0.2)], "delta 0.2 in row 2 of the curve exceeds the 0.1"),
        ([(1.0, 0.2), (0.0, 0.1)], "epsilon 0 in row 2 of the curve does not exceed"),
        ([(1.0, 0.2), (1.0, 0.1)], "give each epsilon once"),
        ([(0.0, 1.0), (1.0, 1.0)], "every row of the curve has delta 1"),
        (7, "is no curve; give a CSV"),
        ([1.0, 2.0], "is no curve; give a CSV"),
    ],
)
def test_what_is_no_curve_is_refused_in_one_line(rows: Any, words: str) -> None:
    with pytest.raises(InputError) as refused:
        claim_from(profile=rows)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("epsilon,delta\n", "has no rows"),
        ("", "has no columns epsilon and delta"),
        ("e,d\n0,.1\n", "has no columns epsilon and delta"),
        ("epsilon,delta\n0,half\n", "delta 'half' in line 2"),
        ("epsilon,delta\n0\n", "delta None in line 2"),
        ("epsilon,delta\n0,nan\n", "delta 'nan' in line 2"),
        ("epsilon,delta\n0,1.2\n", "delta 1.2 in row 1"),
        ("epsilon,delta\n0,.1\n1,.2\n", "a privacy profile never rises"),
        ("epsilon,delta,direction\n0,.1,up\n", "direction 'up' in line 2"),
        ("epsilon,delta,direction\n0,.1,add\n", "no rows of direction remove"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        claim_from(profile=written(tmp_path, text))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_is_a_curve(tmp_path: Path) -> None:
    text = "Epsilon, Delta\n0,0.4\n0.5,0.2\n1,0.05\n"
    assert claim_from(profile=str(written(tmp_path, text))) == ProfileDP(ROWS)


def test_directions_promise_together_the_larger_delta(tmp_path: Path) -> None:
    """Whatever keeps each direction keeps that; where one is silent its last row holds on."""
    text = (
        "epsilon,delta,direction\n0,0.3,add\n1,0.1,add\n0,0.4,remove\n0.5,0.2,remove\n2,0.01,both\n"
    )
    found = claim_from(profile=written(tmp_path, text))
    assert found == ProfileDP(((0.0, 0.4), (0.5, 0.3), (1.0, 0.2), (2.0, 0.01)))


def test_functions_and_distributions_come_from_files_as_well(tmp_path: Path) -> None:
    file = tmp_path / "curves.py"
    file.write_text(
        "import math\n"
        "def delta(epsilon):\n    return max(0.0, -math.expm1((epsilon - 1.0) / 2.0))\n"
        "class Accountant:\n    get_delta_for_epsilon = staticmethod(delta)\n"
        "pld = Accountant()\n"
        "def broken(epsilon):\n    raise KeyError('sigma')\n"
        "def wild(epsilon):\n    return 2.0\n",
        encoding="utf-8",
    )
    found = claim_from(profile=f"{file}:delta")
    assert isinstance(found, ProfileDP)
    assert found == claim_from(profile=f"{file}:pld")
    assert all(
        delta == pytest.approx(max(0.0, -math.expm1((epsilon - 1.0) / 2.0)))
        for epsilon, delta in found.rows
    )
    for name, words in (("no", "has no 'no'"), ("broken", "KeyError"), ("wild", "is 2.0 at")):
        with pytest.raises(InputError, match=words):
            claim_from(profile=f"{file}:{name}")


@pytest.mark.parametrize("sampled", [1.0, 0.1])
def test_a_privacy_loss_distribution_is_a_curve(sampled: float) -> None:
    """Its deltas are those of the exact formula, rounded up a little by its grid."""
    found = profile_claim(
        privacy_loss_distribution.from_gaussian_mechanism(
            1.0, sampling_prob=sampled, value_discretization_interval=1e-3
        )
    )
    for epsilon, delta in found.rows:
        exact = (
            gaussian_delta(epsilon, 1.0)
            if sampled == 1.0
            else subsampled_gaussian_delta(epsilon, 1.0, sampled)
        )
        assert exact - 1e-9 <= delta <= exact + 2e-3


@pytest.mark.slow
@given(mu=st.floats(0.05, 5.0))
def test_a_dozen_rows_are_bet_on_and_the_ends_are_among_them(mu: float) -> None:
    fine = [(float(e), gaussian_delta(float(e), 1.0 / mu)) for e in np.linspace(0.0, 3.0, 200)]
    kept = chosen_rows(fine)
    assert len(kept) <= MOST_ROWS
    assert kept[0] == fine[0]
    assert set(kept) <= set(fine)
    assert all(later[1] < sooner[1] for sooner, later in pairwise(kept))


def test_few_rows_are_all_bet_on() -> None:
    assert profile_claim(ROWS).rows == ROWS
    assert chosen_rows([(0.0, 1.0), *ROWS[1:]]) == ROWS[1:]


def test_levels_move_all_rows() -> None:
    claim = ProfileDP(ROWS)
    for shift in (-3.0, -0.75, 0.0, 0.25):
        moved = claim.lines(claim.level + shift)
        wanted = [[math.exp(max(0.0, e + shift)), d] for e, d in ROWS]
        np.testing.assert_allclose(moved, wanted)
        assert claim.stated(claim.level + shift) == pytest.approx(max(shift, -1.0))
    assert claim.stated(0.0) == -1.0
    assert claim.at(claim.level) == claim
    check_claim(claim)


def test_nothing_is_promised_between_rows_but_what_follows_from_them() -> None:
    claim = ProfileDP(ROWS)
    assert [claim.delta(epsilon) for epsilon, _ in ROWS[1:]] == [delta for _, delta in ROWS[1:]]
    # That of (0.5, 0.2) is a little smaller at 0 than the row that is given there.
    assert claim.delta(0.0) == pytest.approx(1.0 - 0.8 * 2.0 / (1.0 + math.exp(0.5)))
    assert claim.delta(9.0) == 0.05
    assert 0.2 <= claim.delta(0.25) <= 0.4
    assert claim.delta(0.75) <= 0.2


def test_it_survives_the_round_trip() -> None:
    claim = ProfileDP(ROWS)
    assert ProfileDP.from_json(json.loads(json.dumps(claim.as_json()))) == claim


def audited(release: Any, profile: Any, **options: Any) -> AuditResult:
    return audit.run(
        release,
        profile_claim(profile),
        relation="declared",
        data=[1.0],
        neighbors=[[0.0]],
        **{"alpha": 0.05, "seed": 3, **options},
    )


def _composed(data: Any, rng: Generator, size: int) -> Any:
    return composed(float(data[0]), rng, size)


def _subsampled(data: Any, rng: Generator, size: int) -> Any:
    return subsampled(float(data[0]), rng, size)


@pytest.mark.slow
def test_ten_gaussians_keep_their_curve_and_break_that_of_nine() -> None:
    kept, broken = (audited(_composed, composed_delta(n)) for n in (STEPS, STEPS - 1))
    assert (kept.verdict, broken.verdict) == ("not-refuted", "violation")
    assert -0.2 < kept.levels["shift_lower"] <= 0.0 < broken.levels["shift_lower"]
    # Moved by so much the curve of nine still does not hold ten: one of its rows is broken.
    rows = broken.claim.as_json()["rows"]
    assert any(
        gaussian_delta(max(0.0, e + broken.levels["shift_lower"]), 5.0 / math.sqrt(STEPS)) > d
        for e, d in rows
    )


@pytest.mark.slow
def test_a_subsampled_gaussian_keeps_its_curve_and_breaks_that_of_half_the_rate() -> None:
    kept, broken = (
        audited(_subsampled, lambda e, r=rate: subsampled_gaussian_delta(e, DEVIATION, r))
        for rate in (RATE, RATE / 2.0)
    )
    assert (kept.verdict, broken.verdict) == ("not-refuted", "violation")
    assert kept.levels["shift_lower"] <= 0.0 < broken.levels["shift_lower"]


@pytest.mark.slow
def test_reports_show_the_curve() -> None:
    result = audited(_composed, composed_delta(4), max_samples=40_000)
    curve = Curve.of(result)
    assert curve is not None and curve.moved and curve.shown
    exact = composed_delta(STEPS)
    assert all(delta <= exact(epsilon) for epsilon, delta in curve.shown)
    ((title, drawn),) = size_pictures(result)
    assert title == "Privacy profile" and "ε at least" in drawn().title
    assert "The claim is a curve, bet on at these rows" in result.to_markdown()
    assert restore(json.loads(audit.render(result, "json"))).claim == result.claim

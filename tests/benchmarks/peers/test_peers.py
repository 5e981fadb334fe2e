"""The parts on peers that need none: what is read, what is claimed, and where it goes."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from tests.benchmarks.peers import f_dp, ldp, statdp
from tests.benchmarks.peers.__main__ import with_part
from tests.benchmarks.peers.runs import exceeds, rate
from tests.benchmarks.peers.section import PARTS, TITLE

_PAGE = "# Performance\n\nHead.\n\n## First\n\n1\n\n## Last\n\n2\n"


def test_a_part_is_new_at_the_end_and_then_made_again() -> None:
    one = with_part(_PAGE, "A (now)", ["a"])
    two = with_part(one, "B", ["b"])
    again = with_part(two, "A (now)", ["c", "", "d"])

    assert one.startswith(_PAGE)
    assert two.startswith(one)
    assert again == two.replace("\na\n", "\nc\n\nd\n")
    assert again.count(f"## {TITLE}\n") == 1


def test_a_section_behind_the_peers_stays() -> None:
    page = with_part(_PAGE, "A", ["a"]) + "\n## Behind\n\n3\n"

    assert with_part(page, "B", ["b"]).endswith("### B\n\nb\n\n## Behind\n\n3\n")


def test_titles_of_parts_are_different() -> None:
    assert len({part.title for part in PARTS.values()}) == len(PARTS)


def test_answers_of_the_sequential_auditor_are_read() -> None:
    found = f_dp.answers(["1.5779 11.9 ", "1 160 20.99 ", "0 2050 1.3 "])

    assert found.threshold == 11.9
    assert found.audits == [f_dp.Ended(True, 160, 20.99), f_dp.Ended(False, 2050, 1.3)]


def test_an_audit_that_the_peer_could_not_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="NA"):
        f_dp.answers(["1.5779 11.9", "NA NA 1.3"])


@pytest.mark.parametrize("cell", f_dp.RIGHT + f_dp.WRONG, ids=lambda cell: cell.name)
def test_a_record_moves_outputs_as_far_as_the_peers(cell: f_dp.Cell) -> None:
    case, size = cell.case, 100_000
    pair, draws = case.pairs[0], []
    for data in (pair.dataset, pair.neighbor):
        draws.append(np.asarray(case.box.bind(data).draw(np.random.default_rng(0), size)))
    moved, deviation = {
        "gaussian": (cell.distance, 1.0),
        "laplace": (cell.distance, math.sqrt(2.0)),
        "response": (8.0 * math.tanh(1.5), math.hypot(1.0, 4.0 / math.cosh(1.5))),
    }[cell.law]

    assert np.mean(draws[0]) - np.mean(draws[1]) == pytest.approx(
        moved / deviation * np.std(draws[1]), rel=0.02
    )


def test_an_oracle_needs_the_logarithm_of_the_level_over_the_growth_of_its_bet() -> None:
    """A mu of almost 0 allows nothing, so the best stake makes 1 - stake = odds of the halves."""
    often, seldom = 0.8413447 * 0.8413447, 0.1586553 * 0.1586553
    stake = (often - seldom) / (often + seldom)
    growth = often * math.log1p(stake) + seldom * math.log1p(-stake)

    assert f_dp.oracle(2.0, 1e-9) == pytest.approx(math.log(20.0) / growth, rel=1e-5)


def test_an_oracle_of_more_loss_needs_fewer_pairs() -> None:
    assert f_dp.oracle(1.0, 0.5) < f_dp.oracle(1.0, 0.8)


def test_answers_of_statdp_are_read() -> None:
    first, last = statdp.answers(["0.05 1.5", "0.0501 2"])

    assert first == statdp.Ended(0.05, 1.5)
    assert first.rejected
    assert not last.rejected


def test_statdp_is_asked_for_its_own_function() -> None:
    wrong = next(function for function in statdp.FUNCTIONS if function.own == "iSVT4")

    expected = ["iSVT4", {"epsilon": 0.7, "N": 1, "T": 1}, 5, 10_000, 50_000]
    assert json.loads(wrong.line(10)) == expected
    assert wrong.runs == 2 * (8 * 100_000 + 500_000)


def test_all_of_statdps_functions_are_there() -> None:
    assert len({function.entry for function in statdp.FUNCTIONS}) == 11
    assert sum(function.keeps for function in statdp.FUNCTIONS) == 4


def test_bounds_of_the_local_auditor_are_read() -> None:
    assert ldp.answers(["0.93 0.01", "-inf 2"]) == [
        ldp.Ended(0.93, 0.01),
        ldp.Ended(-math.inf, 2.0),
    ]


def test_a_threshold_loses_less_than_the_noise_before_it() -> None:
    """At a threshold of 1/2 with e^(epsilon/4) = 2: p = 3/4, q = 1/4, odds of 9."""
    epsilon = 4.0 * math.log(2.0)

    assert ldp.threshold_epsilon(epsilon, 0.5) == pytest.approx(math.log(9.0))
    assert ldp.TRUTHS["THE"] < ldp.EPSILON


def test_a_level_fails_if_the_interval_lies_above_it() -> None:
    assert rate(0, 100) == "0 of 100 (0.000 to 0.036)"
    assert not exceeds(9, 100, 0.05)
    assert exceeds(12, 100, 0.05)

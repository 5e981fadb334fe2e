"""Mutants of levels beyond the wealth: intervals, leaks, witnesses, claims, the ledger."""

from __future__ import annotations

import tempfile
from pathlib import Path

from audit.claims import GaussianDP
from audit.claims.divergence import divergence_delta, renyi_delta
from audit.claims.interface import two_point_delta
from audit.engine.steps import _play
from audit.outcomes.binning import Binning
from audit.sampling.ledger import Entered
from audit.sampling.ledger_history import History
from audit.sampling.running_wealth import reserve
from audit.verdict.decide import result_of
from audit.verdict.intervals import proportions
from audit.verdict.side_channels import leak_size
from audit.verdict.witness import Seen, clearest, mean_of

from .mutation import Mutant

_LEAK = "test_leak_size.py::test_the_bound_is_near_the_truth_and_seldom_above"
_EXACT = "test_intervals.py::test_clopper_pearson_intervals"
_HALF = {"count": 5, "draws": 10, "alpha": 0.05, "low": 0.18709, "high": 0.81291}
_SHARED = "test_witness.py::test_all_bets_share_one_level"
_ALLOWED = "test_running_wealth.py::test_its_expectation_is_at_most_one_where_claims_are_kept"


def _ledger() -> Path:
    return Path(tempfile.mkdtemp()) / "audits.jsonl"


VERDICT_MUTANTS = [
    Mutant(
        "intervals at twice the level",
        proportions,
        "draws, alpha)",
        "draws, 2.0 * alpha)",
        _EXACT,
        _HALF,
    ),
    Mutant(
        "intervals of means at the wrong level",
        mean_of,
        "math.log(4.0 / alpha)",
        "0.1",
        "test_bounded_means.py::test_they_miss_the_mean_with_at_most_alpha",
        {"draws": 10_000},
    ),
    Mutant("the wrong end of an interval", leak_size, "/ q.high", "/ q.low", _LEAK, {"delta": 0.0}),
    Mutant(
        "another level for a leak",
        leak_size,
        "[cost].sum()), units, alpha",
        "[cost].sum()), units, 0.999",
        _LEAK,
        {"delta": 0.0},
    ),
    Mutant("delta is not taken off", leak_size, "(p.low - delta)", "p.low", _LEAK, {"delta": 0.5}),
    Mutant(
        "the first bet has all of the level",
        clearest,
        "[0.5, *[",
        "[1.0, *[",
        _SHARED,
        {"count": 2},
    ),
    Mutant(
        "all other bets have the level", clearest, "[0.5 / (", "[0.5 * (", _SHARED, {"count": 6}
    ),
    Mutant(
        "intervals of the witness at no level",
        Seen.of,
        "mean_of(own, values, alpha)",
        "mean_of(own, values, 0.999)",
        "test_witness.py::test_intervals_of_the_witness_hold",
    ),
    Mutant(
        "edges belong to the bin below",
        Binning.code,
        'side="right"',
        'side="left"',
        "test_binning.py::test_codes_count_the_edges_at_or_below",
    ),
    Mutant(
        "conversion of Rényi divergence too good",
        renyi_delta,
        "(order - 1.0) * (divergence",
        "order * (divergence",
        "test_claim.py::test_renyi_lines_hold_for_every_event_of_pairs_that_keep_the_claim",
    ),
    Mutant(
        "total variation too small",
        divergence_delta,
        "divergence / 2.0",
        "divergence / 8.0",
        "test_claim.py::test_zcdp_lines_hold_for_every_event_of_pairs_that_keep_the_claim",
    ),
    Mutant(
        "profile of pure claims too small",
        two_point_delta,
        "(1.0 + math.exp(at))",
        "2.0 * math.exp(at)",
        "test_claim.py::test_profile_of_approximate_claims_is_that_of_their_worst_pair",
        {"epsilon": 1.0, "delta": 0.0},
    ),
    Mutant(
        "Gaussian profile of less than the distance",
        GaussianDP.delta,
        "self.mu / 2.0",
        "0.9 * self.mu / 2.0",
        "test_claim.py::test_gaussian_lines_hold_for_every_event_of_rounded_gaussians",
    ),
    Mutant(
        "what is left of alpha is given away",
        History.next_level,
        "left / (number + 1)",
        "left",
        "test_history.py::test_levels_spent_on_two_branches_all_count_once_merged",
    ),
    Mutant(
        "single versions and all have alpha each",
        History.next_level,
        "alpha - together - self.spent",
        "alpha - self.spent",
        "test_running_wealth.py::test_half_of_alpha_is_for_all_versions_together",
    ),
    Mutant(
        "levels that were spent are not taken off",
        History.next_level,
        " - self.spent",
        "",
        "test_history.py::test_branches_that_spent_more_than_alpha_leave_nothing",
    ),
    Mutant(
        "all of alpha for all versions",
        History.half_of_rest,
        " / 2.0",
        "",
        "test_running_wealth.py::test_half_of_alpha_is_for_all_versions_together",
    ),
    Mutant(
        "an audit at the level of all audits",
        Entered.settings,
        "alpha=entry.level",
        "alpha=entry.alpha",
        "test_across.py::test_a_build_is_audited_at_its_own_level",
        {"path": _ledger()},
    ),
    Mutant(
        "weights above one",
        reserve,
        "math.log(2.0)",
        "2.0 * math.log(2.0)",
        _ALLOWED,
        {"law": ((0.0, 0.75), (4.0, 0.25)), "builds": 2},
    ),
    Mutant(
        "the wealth before counts twice",
        _play,
        "before if len(limits) > 1 else 0.0",
        "0.0",
        "test_across.py::test_a_continued_build_adds_what_it_changed",
        {"path": _ledger()},
    ),
    Mutant(
        "what may not be stated counts",
        result_of,
        "-math.inf if doubt else evidence.gained",
        "evidence.gained",
        "test_across.py::test_what_may_not_be_stated_forfeits",
        {"path": _ledger()},
    ),
]

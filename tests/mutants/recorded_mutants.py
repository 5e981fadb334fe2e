"""Mutants of exact tests on recorded lines: of their level, and of what they may look at."""

from __future__ import annotations

from audit.claims import ApproxDP, PureDP
from audit.verdict.recorded.event_choice import Candidates, _shares
from audit.verdict.recorded.evidence import _tested
from audit.verdict.recorded.exact_test import ExactTest

from .mutation import Mutant

_LEVEL = "test_exact_test.py::test_what_attains_the_claim_is_refuted_with_at_most_alpha"
_ROOT = "test_exact_test.py::test_what_is_refuted_are_the_levels_below_a_root"

_ALPHA = "test_exact_events.py::test_the_events_share_alpha"
_TOGETHER = {"claim": PureDP(0.5), "together": 1.0}
_APART = {"claim": PureDP(1.5), "together": 0.0}
_DELTA = {"claim": ApproxDP(0.5, 0.5), "together": 0.0}

RECORDED_MUTANTS = [
    Mutant(
        "every line with both a success",
        ExactTest.log_tail,
        "self.coins, 1.0 / (1.0 + slope)",
        "self.coins, 1.0",
        _LEVEL,
        _TOGETHER,
    ),
    Mutant(
        "one success too many",
        ExactTest.log_tail,
        "coins - struck - 1",
        "coins - struck",
        _LEVEL,
        _APART,
    ),
    Mutant(
        "lines with both left out",
        ExactTest.log_tail,
        "self.both + self.own + self.other",
        "self.own + self.other",
        _LEVEL,
        _TOGETHER,
    ),
    Mutant(
        "chance of a success too small",
        ExactTest.log_tail,
        "shown, slope / (1.0 + slope)",
        "shown, 0.8 * slope / (1.0 + slope)",
        _LEVEL,
        _APART,
    ),
    Mutant(
        "delta forgotten",
        ExactTest._refutes,
        "if offset <= 0.0",
        "if offset <= 1.0",
        _LEVEL,
        _DELTA,
    ),
    Mutant(
        "strikes as rare as one line of all",
        ExactTest._refutes,
        "self.lines, min",
        "1, min",
        _LEVEL,
        _DELTA,
    ),
    Mutant(
        "the root too high",
        ExactTest._root,
        "(middle, high) if self._refutes(claim, middle, known)",
        "(high, high) if self._refutes(claim, middle, known)",
        _ROOT,
    ),
    Mutant(
        "lines counted that chose",
        _tested,
        "candidate.reader, _first(lines), lines",
        "candidate.reader, 0, lines",
        "test_exact_events.py::test_the_counts_are_those_behind",
    ),
    Mutant("each event has all of alpha", _shares, " / likely.sum()", "", _ALPHA),
    Mutant("each kind has all of alpha", Candidates.shared, "/ (odds + 1.0)", "", _ALPHA),
]

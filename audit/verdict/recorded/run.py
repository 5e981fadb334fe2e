"""Audit of recorded outputs, one file for each dataset: bets in the order of the files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from audit import __version__ as VERSION
from audit.amounts import check_amounts
from audit.betting.power import detectable_epsilon, floor_pairs
from audit.claim import Claim
from audit.errors import InputError, shown
from audit.relation import AnyRelation, Relation
from audit.sampling.effort import no_effort
from audit.validation import is_whole
from audit.verdict.recorded.doubts import doubted_as
from audit.verdict.recorded.evidence import RecordedEvidence
from audit.verdict.recorded.files import Samples, read_samples
from audit.verdict.recorded.recording import halves_of, recordings_of
from audit.verdict.recorded.witness import recorded_witness
from audit.verdict.recorded.words import notes_of, tried_in
from audit.verdict.result import AuditResult, Verdict, timed
from audit.verdict.self_check import ALIKE

NAME = "recorded mechanism"
MOST_BINS = 100


def audit_samples(
    paths: Sequence[str | Path],
    claim: Claim,
    *,
    relation: AnyRelation = Relation.ADD_REMOVE,
    bins: int = 20,
    alpha: float = 0.001,
    column: str | None = None,
    null: bool = False,
    name: str = NAME,
    command: str = "",
) -> AuditResult:
    """Audit outputs that were recorded elsewhere, one file for each dataset.

    Args:
        paths: the file of D, then those of D1, D2, ...; with `null` that of D alone.
        claim: what the mechanism says about itself.
        relation: what makes the datasets neighbors; nobody can check it here.
        bins: bins of equal width in the tables.
        alpha: chance that a mechanism which keeps its claim is called a violation,
            or that its bound or any interval of any table is wrong.
        column: the one column of a table to take.
        null: compare the first half of D's outputs with the second.
        name: how the result calls the mechanism.
        command: what repeats this audit.

    Returns:
        The result; its `recorded` is true.

    Raises:
        InputError: a file cannot be read, one is missing, or they do not belong together.
    """
    started = perf_counter()
    _check(paths, bins, alpha, null)
    files = [read_samples(path, column) for path in paths]
    recordings = halves_of(files[0]) if null else recordings_of(files)
    # Halves of one file are alike, whatever is claimed.
    evidence = RecordedEvidence.of(recordings, ALIKE if null else claim, bins, alpha)
    result = _result(evidence, claim, files, null)
    doubt = "" if null else doubted_as(recordings, alpha)
    if doubt:
        result = _mistrusted(result, evidence, files, doubt)
    named = replace(result, mechanism=name, relation=relation, command=command)
    return timed(named, started)


def _check(paths: Sequence[str | Path], bins: int, alpha: float, null: bool) -> None:
    if isinstance(paths, str | Path):
        raise InputError(f"{shown(paths)} is one file; give a list, that of D first", paths)
    if null and len(paths) != 1:
        raise InputError("--null compares D with itself; give the file of D alone", paths)
    if not null and len(paths) < 2:
        raise InputError("give two files or more: outputs on D, then those on D1, D2, ...", paths)
    if not (is_whole(bins) and 1 <= bins <= MOST_BINS):
        raise InputError(
            f"bins {shown(bins)} is not a whole number from 1 to {MOST_BINS}; give for example 20",
            bins,
        )
    check_amounts(alpha=alpha)


def _result(
    evidence: RecordedEvidence, claim: Claim, files: Sequence[Samples], null: bool
) -> AuditResult:
    capital, lengths = evidence.capital, evidence.bets.lengths
    floor = floor_pairs(evidence.claim, capital.alpha)
    youngest = [a.pair for g in capital.epochs[-1:] for a in g.positions]
    shortest = min((lengths[pair] for pair in youngest), default=0)
    # Later epochs of bets see part of the outputs only.
    by_bets = detectable_epsilon(capital, shortest // 3)
    by_tests = evidence.events.detectable
    detectable = by_tests if by_bets is None else min(by_bets, by_tests)
    long = max(lengths) >= floor
    seen = long and math.isfinite(detectable)
    verdict = _verdict(evidence.refuted, enough=seen)
    return AuditResult(
        mechanism=NAME,
        parameters={recording.name: recording.source for recording in evidence.recordings},
        claim=claim,
        relation=Relation.DECLARED,
        verdict=verdict,
        levels=evidence.levels,
        alpha=evidence.alpha,
        log_evalue=evidence.log_evalue,
        samples=sum(map(len, files)),
        effort={**no_effort(), "bets": sum(map(len, files))},
        detectable_epsilon=detectable,
        coupled=False,
        witness=recorded_witness(evidence),
        pairs=evidence.tables.pairs,
        search=None,
        leaks=(),
        seed=0,
        version=VERSION,
        command="",
        null=null,
        tried=tried_in(evidence),
        notes=notes_of(evidence, files, null=null, trusted=True),
        claimed_reach=floor,
        recorded=True,
        reason=""
        if verdict is not Verdict.INCONCLUSIVE
        else _NONE_SEEN
        if long
        else _too_few(floor),
    )


_NONE_SEEN = (
    "none of the events looked at would have been seen reliably in so few recorded outputs, "
    "however many times as likely it had been on one side as on the other; record more of each"
)


def _verdict(refuted: bool, enough: bool) -> Verdict:
    if refuted:
        return Verdict.VIOLATION
    return Verdict.NOT_REFUTED if enough else Verdict.INCONCLUSIVE


def _too_few(floor: int) -> str:
    return (
        f"even an output that is certain on D and impossible on its neighbor would take {floor:,} "
        "recorded outputs of each"
    )


def _mistrusted(
    result: AuditResult, evidence: RecordedEvidence, files: Sequence[Samples], reason: str
) -> AuditResult:
    """The same where outputs are no independent draws, so that nothing of it is evidence."""
    return replace(
        result,
        verdict=Verdict.INCONCLUSIVE,
        reason=reason,
        levels=dict.fromkeys(result.levels, 0.0) | {result.claim.bound: result.claim.stated(0.0)},
        detectable_epsilon=None,
        witness=None,
        pairs=(),
        notes=notes_of(evidence, files, null=False, trusted=False),
    )

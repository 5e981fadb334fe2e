"""Audit of recorded outputs, one file for each dataset: bets in the order of the lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Never

from audit import __version__ as VERSION
from audit.betting.power import floor_units
from audit.claims import ALIKE, Claim, claim_from
from audit.errors import ClaimError, InputError, shown
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.progress import no_effort
from audit.relation import AnyRelation, Relation, relation_named
from audit.sampling.units import UnitKind
from audit.validation import check_amounts, is_whole, refuse_unknown
from audit.verdict.decide import without_statements
from audit.verdict.findings import Units
from audit.verdict.recorded.doubts import LEVEL, doubt_about
from audit.verdict.recorded.evidence import (
    FOR_EVENTS,
    FOR_TABLES,
    RecordedEvidence,
    recorded_witness,
)
from audit.verdict.recorded.files import read_samples
from audit.verdict.recorded.recording import Recording, halves_of, recordings_of, shuffled
from audit.verdict.recorded.tables import outputs_for_ends
from audit.verdict.renderers import timed
from audit.verdict.result import AuditResult, Verdict

NAME = "recorded mechanism"
MOST_BINS = 100
_ASSUMED = "independent-lines"
_UNSEEN = (
    "none of the tested events would have been detected reliably in so few recorded outputs, "
    "however much likelier on one dataset than on the other; record more of each"
)


def samples(
    paths: Sequence[str | Path],
    claim: Claim | float | None = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    relation: str | AnyRelation = Relation.ADD_REMOVE,
    bins: int = 20,
    alpha: float = 0.001,
    column: str | None = None,
    null: bool = False,
    shuffle: int | None = None,
    name: str = NAME,
    command: str = "",
    **unknown: Never,
) -> AuditResult:
    """Audit outputs that were recorded elsewhere, one file for each dataset.

    Args:
        paths: the file of D, then those of D1, D2, ...; with `null` that of D alone.
        claim: an epsilon, or a claim of any kind.
        epsilon: claimed epsilon, in place of `claim`; with `delta` for approximate DP.
        delta: claimed delta.
        relation: adjacency of the datasets; it cannot be checked here.
        bins: bins of equal width in the tables.
        alpha: chance that a mechanism which keeps its claim is called a violation,
            or that its bound or any interval of any table is wrong.
        column: the one column of a table, or field of JSON objects, to take.
        null: compare the first half of D's outputs with the second.
        shuffle: a seed that puts the lines of every file in a random order of its own, for
            independent draws that were sorted or grouped after they were made. Choose it
            without a look at the outputs. Files that were recorded in step with each other lose
            what their lines have in common, and drift and repeated runs are not noticed.
        name: of the mechanism in the result.
        command: a shell command that repeats this audit.
        unknown: nothing; the error names the closest argument.

    Returns:
        The result; its `recorded` is true.

    Raises:
        TypeError: there is no such argument.
        ClaimError: no claim is stated, or more than one.
        InputError: a file cannot be read, one is missing, or they do not belong together.
    """
    started = perf_counter()
    refuse_unknown(samples, unknown)
    _check_files(paths, null)
    stated = claim_from(claim, epsilon=epsilon, delta=delta)
    if stated is None:
        raise ClaimError("recorded outputs state no claim; give `epsilon`, or another claim")
    _check(bins, alpha, null, shuffle)
    files = [read_samples(path, column) for path in paths]
    recordings, doubt = _compared(files, null, shuffle)
    # Halves of one file are alike, whatever is claimed.
    evidence = RecordedEvidence.of(recordings, ALIKE if null else stated, bins, alpha)
    floor = floor_units(evidence.claim, evidence.wealth.alpha)
    detectable = evidence.events.detectable
    verdict, reason = _verdict(evidence, floor, detectable.best, doubt)
    result = AuditResult(
        mechanism=name,
        parameters={recording.name: recording.source for recording in recordings},
        claim=stated,
        relation=relation_named(str(relation)),
        verdict=verdict,
        levels=evidence.levels,
        alpha=alpha,
        log_evalue=evidence.log_evalue,
        samples=sum(map(len, files)),
        effort={**no_effort(), "bets": sum(map(len, files))},
        detectable_epsilon=None if doubt else detectable.best,
        detectable_tenth=None if doubt else detectable.tenth,
        coupled=False,
        witness=recorded_witness(evidence),
        pairs=() if doubt else evidence.tables.pairs,
        search=None,
        leaks=(),
        seed=shuffle or 0,
        version=VERSION,
        command=command,
        null=null,
        tried=_tried(evidence),
        notes=tuple(_notes(evidence, files, null=null, shuffle=shuffle, trusted=not doubt)),
        floor=floor,
        recorded=True,
        reason=reason,
        assumptions=(_ASSUMED,),
        units=Units(kind=str(UnitKind.LINE), n=1, count=evidence.bets.bettor.units),
    )
    return timed(without_statements(result) if doubt else result, started)


def _compared(
    files: Sequence[Recording], null: bool, shuffle: int | None
) -> tuple[list[Recording], str]:
    """The recordings to compare, that of D first, and why they may not be independent draws."""
    recordings = halves_of(files[0]) if null else recordings_of(files)
    if shuffle is not None:
        recordings = shuffled(recordings, shuffle)
    # Orders that were lost, and halves that were compared already, cannot be checked.
    return recordings, "" if null or shuffle is not None else doubt_about(recordings)


def _check_files(paths: Sequence[str | Path], null: bool) -> None:
    if isinstance(paths, str | Path):
        raise InputError(f"{shown(paths)} is one file; give a list of files, D first", paths)
    if others := [path for path in paths if not isinstance(path, str | Path)]:
        raise InputError(
            f"{shown(others[0])} is no name of a file; write outputs to files, one for each "
            "dataset, such as with numpy.savetxt, and give their names",
            others[0],
        )
    if null and len(paths) != 1:
        raise InputError("--null compares D with itself; give the file of D alone", paths)
    if not null and len(paths) < 2:
        raise InputError("give two files or more: outputs on D, then those on D1, D2, ...", paths)
    for place, path in enumerate(paths):
        if Path(path).resolve() in [Path(other).resolve() for other in paths[:place]]:
            raise InputError(
                f"file {shown(path)} is given twice, and nothing differs from itself; give outputs "
                "on two datasets, or one file with --null",
                path,
            )


def _check(bins: int, alpha: float, null: bool, shuffle: int | None) -> None:
    if not (is_whole(bins) and 1 <= bins <= MOST_BINS):
        raise InputError(
            f"bins {shown(bins)} is not a whole number from 1 to {MOST_BINS}; give for example 20",
            bins,
        )
    check_amounts(alpha=alpha)
    if shuffle is not None:
        check_amounts(shuffle=shuffle)
    if shuffle is not None and null:
        raise InputError(
            f"shuffle {shuffle} hides what a comparison of halves looks for; give one of shuffle "
            "and null",
            shuffle,
        )


def _verdict(
    evidence: RecordedEvidence, floor: int, detectable: float, doubt: str
) -> tuple[Verdict, str]:
    """The verdict, and the reason of an inconclusive one."""
    if doubt:
        return Verdict.INCONCLUSIVE, doubt
    if evidence.refuted:
        return Verdict.VIOLATION, ""
    if max(evidence.bets.units.lengths) < floor:
        return Verdict.INCONCLUSIVE, (
            "even an output that is certain on D and impossible on its neighbor would take "
            f"{floor:,} recorded outputs of each"
        )
    if math.isinf(detectable):
        return Verdict.INCONCLUSIVE, _UNSEEN
    return Verdict.NOT_REFUTED, ""


_ASSUMED_WORDS = (
    "the outputs were recorded elsewhere; their lines are assumed to be independent draws, in the "
    f"order of the files. Two checks, with a level of {LEVEL:g} of their own, compare each file's "
    "first half with its second and look for lines that repeat"
)
_SHUFFLED = (
    "the outputs were recorded elsewhere, and the lines of each file were put in a random order by "
    "seed {seed}. They are assumed to be independent draws of which the order alone was lost; no "
    "check can see that afterwards"
)
_HALVES = (
    "a file's first half is compared with its second; what both share, such as values that "
    "all files repeat, is not seen"
)
_LENGTHS = (
    "which assume that the lengths of the files do not depend on their contents; each may refute"
)


def _notes(
    evidence: RecordedEvidence,
    files: Sequence[Recording],
    *,
    null: bool,
    shuffle: int | None,
    trusted: bool,
) -> Iterator[str]:
    """Notes on the reading of files, the assumptions of the verdict, and joint statements."""
    yield from _of_files(files)
    assumed = _ASSUMED_WORDS if shuffle is None else _SHUFFLED.format(seed=shuffle)
    yield _HALVES if null else assumed
    if trusted:
        yield _shares_of(evidence)
        yield from _of_tables(evidence)


def _shares_of(evidence: RecordedEvidence) -> str:
    events = len(evidence.events.events)
    bets = 1.0 - FOR_TABLES - FOR_EVENTS if events else evidence.wealth.alpha / evidence.alpha
    tests = f"{FOR_EVENTS:g} to tests of {events} events that the first lines chose, " * (
        events > 0
    )
    return (
        f"shares of α: {bets:.2g} to the bets, whenever they end, {tests}{FOR_TABLES:g} to the "
        f"tables, {_LENGTHS}"
    )


def _of_files(files: Sequence[Recording]) -> Iterator[str]:
    if left_out := [words for other in files[1:] if (words := _left_out(files[0], other))]:
        yield (
            "bets pair output i of D with output i of its neighbor, so they do not use the last "
            f"{'; '.join(left_out)}"
        )
    if files[0].columns:
        named = (f"output[{place}] is {name}" for place, name in enumerate(files[0].columns))
        yield f"of a row, {', '.join(named)}"
    for file in files:
        yield from file.notes


def _left_out(first: Recording, other: Recording) -> str:
    """Outputs of the longer of two files that have no partner; empty if there are none."""
    shorter, longer = sorted((first, other), key=len)
    if len(longer) == len(shorter):
        return ""
    short, long = (Path(file.source).name for file in (shorter, longer))
    held = f"the {len(longer):,} outputs in {long}"
    return f"{len(longer) - len(shorter):,} of {held} ({short} has {len(shorter):,})"


def _of_tables(evidence: RecordedEvidence) -> Iterator[str]:
    if not evidence.tables.pairs:
        return
    first = ", ".join(f"{outputs_for_ends(each):,} of {each.name}" for each in evidence.recordings)
    yield f"the bins of the tables follow from the first outputs, which they do not count: {first}"
    feature = evidence.tables.feature
    if feature != Part(OUTPUT):
        yield (
            f"outputs are more than one number each: the tables read their {feature.words}, the "
            "bets everything that is listed"
        )


def _tried(evidence: RecordedEvidence) -> tuple[str, ...]:
    """Pairs, events and tables that were tried, in words."""
    bettor, lengths = evidence.bets.bettor, evidence.bets.units.lengths
    held = zip(evidence.recordings[1:], lengths, strict=True)
    pairs = ", ".join(f"{recording.name} {length:,}" for recording, length in held)
    tried = [f"pairs of outputs to bet with: {pairs}"]
    if bettor.features:
        functions = f" and {bettor.functions:,} functions" if bettor.functions else ""
        read = "; ".join(bettor.features)
        tried.append(f"{bettor.bets:,} events{functions} in both directions, read from: {read}")
    if evidence.tables.pairs:
        count, bins = len(evidence.tables.pairs), evidence.tables.binning.count
        tried.append(f"{count} table{'s' * (count != 1)} of {bins} bins in both directions")
    return tuple(tried)

"""Notes on an audit of recorded outputs, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.verdict.recorded.doubts import LEVEL
from audit.verdict.recorded.evidence import FOR_EVENTS, FOR_TABLES, RecordedEvidence
from audit.verdict.recorded.files import Samples
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.tables import outputs_for_ends

_ASSUMED = (
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


def notes_of(
    evidence: RecordedEvidence,
    files: Sequence[Samples],
    *,
    null: bool,
    shuffle: int | None,
    trusted: bool,
) -> tuple[str, ...]:
    """Notes on the assumptions of the verdict, joint statements, and the reading of files.

    Args:
        evidence: what the result rests on.
        files: as they were read.
        null: True if the recordings are two halves of one file.
        shuffle: seed of the order of the lines; None for that of the files.
        trusted: True if the outputs may be independent draws; nothing holds otherwise.
    """
    assumed = _ASSUMED if shuffle is None else _SHUFFLED.format(seed=shuffle)
    notes = [_HALVES if null else assumed]
    if trusted:
        notes += [_shares_of(evidence), *_of_tables(evidence)]
    return (*notes, *_of_files(files))


def _shares_of(evidence: RecordedEvidence) -> str:
    tables, bets = f"{FOR_TABLES:g} to the tables", 1.0 - FOR_TABLES
    if not evidence.events.events:
        bets = evidence.wealth.alpha / evidence.alpha
        return f"of α {bets:.2g} goes to the bets, whenever they end, and {tables}, {_LENGTHS}"
    return (
        f"of α {bets - FOR_EVENTS:.2g} goes to the bets, whenever they end, {FOR_EVENTS:g} to "
        f"tests of {len(evidence.events.events)} events that the first lines chose, and {tables}, "
        f"{_LENGTHS}"
    )


def _of_files(files: Sequence[Samples]) -> list[str]:
    notes = []
    if len(set(map(len, files))) > 1:
        held = ", ".join(f"{file.path.name} {len(file):,}" for file in files)
        notes.append(
            f"the files hold unequal numbers of outputs: {held}; bets pair output i of D with "
            "output i of its neighbor, so that they do not use the end of a longer file"
        )
    if files[0].columns:
        named = (f"output[{place}] is {name}" for place, name in enumerate(files[0].columns))
        notes.append(f"of a row, {', '.join(named)}")
    return [*notes, *(note for file in files for note in file.notes)]


def _of_tables(evidence: RecordedEvidence) -> list[str]:
    if not evidence.tables.pairs:
        return []
    first = ", ".join(
        f"{outputs_for_ends(recording):,} of {recording.name}" for recording in evidence.recordings
    )
    notes = [
        f"the bins of the tables follow from the first outputs, which they do not count: {first}"
    ]
    feature = evidence.tables.feature
    if feature != Part(OUTPUT):
        notes.append(
            f"outputs are more than one number each: the tables read their {feature.words}, the "
            "bets everything that is listed"
        )
    return notes


def tried_in(evidence: RecordedEvidence) -> tuple[str, ...]:
    """Pairs, events and tables that were tried, in words."""
    bettor = evidence.bets.bettor
    tried = [_pairs(evidence.recordings[1:], evidence.bets.units.lengths)]
    if bettor.features:
        functions = f" and {bettor.functions:,} functions" if bettor.functions else ""
        read = "; ".join(bettor.features)
        tried.append(f"{bettor.bets:,} events{functions} in both directions, read from: {read}")
    if evidence.tables.pairs:
        count, bins = len(evidence.tables.pairs), evidence.tables.binning.count
        tried.append(f"{count} table{'s' * (count != 1)} of {bins} bins in both directions")
    return tuple(tried)


def _pairs(there: Sequence[Recording], lengths: Sequence[int]) -> str:
    """The number of lines of each pair."""
    held = ", ".join(f"{r.name} {length:,}" for r, length in zip(there, lengths, strict=True))
    return f"pairs of outputs to bet with: {held}"

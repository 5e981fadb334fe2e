"""What a reader of an audit of recorded outputs must know, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.verdict.recorded.evidence import FOR_EVENTS, FOR_TABLES, RecordedEvidence
from audit.verdict.recorded.files import Samples
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.tables import outputs_for_ends

_ON_TRUST = (
    "the outputs were recorded elsewhere and nothing could be drawn afresh: that they are "
    "independent draws, in the order of the files, is taken on trust but for a comparison of "
    "each file's first half with its second, and a look for lines that repeat"
)
_HALVES = (
    "a file's first half is compared with its second; what they share, such as values that "
    "all files repeat, is not seen"
)
_LENGTHS = (
    "which take it that the lengths of the files do not depend on what they hold; each may refute"
)


def notes_of(
    evidence: RecordedEvidence, files: Sequence[Samples], *, null: bool, trusted: bool
) -> tuple[str, ...]:
    """What the verdict takes on trust, what holds together, how the files were read.

    Args:
        evidence: what the result rests on.
        files: as they were read.
        null: whether the recordings are two halves of one file.
        trusted: whether the outputs look like independent draws; nothing holds otherwise.
    """
    told = [_HALVES if null else _ON_TRUST]
    if trusted:
        told += [_shares_of(evidence), *_of_tables(evidence)]
    return (*told, *_of_files(files))


def _shares_of(evidence: RecordedEvidence) -> str:
    tables, bets = f"{FOR_TABLES:g} to the tables", 1.0 - FOR_TABLES
    if not evidence.events.events:
        bets = evidence.capital.alpha / evidence.alpha
        return f"of α {bets:.2g} goes to the bets, whenever they end, and {tables}, {_LENGTHS}"
    return (
        f"of α {bets - FOR_EVENTS:.2g} goes to the bets, whenever they end, {FOR_EVENTS:g} to "
        f"tests of {len(evidence.events.events)} events that the first lines chose, and {tables}, "
        f"{_LENGTHS}"
    )


def _of_files(files: Sequence[Samples]) -> list[str]:
    told = []
    if len(set(map(len, files))) > 1:
        held = ", ".join(f"{file.path.name} {len(file):,}" for file in files)
        told.append(
            f"the files hold unequal numbers of outputs: {held}; bets pair output i of D with "
            "output i of its neighbor, so that the end of a longer file has no part in them"
        )
    if files[0].columns:
        named = (f"output[{place}] is {name}" for place, name in enumerate(files[0].columns))
        told.append(f"of a row, {', '.join(named)}")
    return [*told, *(note for file in files for note in file.notes)]


def _of_tables(evidence: RecordedEvidence) -> list[str]:
    if not evidence.tables.pairs:
        return []
    first = ", ".join(
        f"{outputs_for_ends(recording):,} of {recording.name}" for recording in evidence.recordings
    )
    told = [
        f"the bins of the tables follow from the first outputs, which they do not count: {first}"
    ]
    feature = evidence.tables.feature
    if feature != Part(OUTPUT):
        told.append(
            f"outputs are more than a number each: the tables read their {feature.words}, the "
            "bets all that is listed"
        )
    return told


def tried_in(evidence: RecordedEvidence) -> tuple[str, ...]:
    """What was looked at, in words."""
    portfolios = [a.portfolio for g in evidence.capital.epochs for a in g.positions]
    tables = [table for portfolio in portfolios for table in portfolio.tables]
    features = dict.fromkeys(table.feature.words for table in tables)
    events = sum(table.bets.size for table in tables)
    told = [_pairs(evidence.recordings[1:], evidence.bets.lengths)]
    if features:
        told.append(f"{events:,} events in both directions, read from: {'; '.join(features)}")
    if evidence.tables.pairs:
        count, bins = len(evidence.tables.pairs), evidence.tables.binning.count
        told.append(f"{count} table{'s' * (count != 1)} of {bins} bins in both directions")
    return tuple(told)


def _pairs(there: Sequence[Recording], lengths: Sequence[int]) -> str:
    """How many pairs of outputs each neighbor gave."""
    held = ", ".join(f"{r.name} {length:,}" for r, length in zip(there, lengths, strict=True))
    return f"pairs of outputs to bet with: {held}"

"""Audit of recorded outputs: nothing can be drawn afresh, so exact intervals of tables decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from audit.betting.events import describe
from audit.case import check_amounts
from audit.claim import Claim
from audit.errors import InputError
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT, Outcomes, encode, joined
from audit.outcomes.features import Feature, Part
from audit.relation import AnyRelation, Relation
from audit.sampling.effort import no_effort
from audit.verdict.frequency_table import equal_width, pair_table, table_feature
from audit.verdict.interval_bounds import Side, detectable, fewest_draws, levels_of, sides_of
from audit.verdict.pair_table import PairTable
from audit.verdict.recorded.files import Samples, read_samples
from audit.verdict.result import AuditResult, Verdict, Witness, timed
from audit.version import VERSION

NAME = "recorded mechanism"
MOST_BINS = 100
_BOUNDS_OF_A_BIN = 4
_ON_TRUST = (
    "the outputs were recorded elsewhere: nothing could be drawn afresh, and whether they are "
    "independent of each other is taken on trust"
)


@dataclass(frozen=True, slots=True)
class _Side:
    """One dataset's outputs.

    Attributes:
        name: D, D1, D2, ... or "pooled".
        source: where they come from, in words.
        outcomes: the outputs.
    """

    name: str
    source: str
    outcomes: Outcomes


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
        bins: bins of equal width over the common range of all files.
        alpha: chance that any interval of any table misses.
        column: the one column of a table to take.
        null: compare the first half of D's outputs with the second.
        name: how the result calls the mechanism.
        command: what repeats this audit.

    Raises:
        InputError: a file cannot be read, or one is missing.
    """
    started = perf_counter()
    _check(paths, bins, alpha, null)
    files = [read_samples(path, column) for path in paths]
    sides = _halves(files[0]) if null else _sides(files)
    tables, feature, binning = _tables(sides, claim, bins, alpha)
    each = alpha / (_BOUNDS_OF_A_BIN * binning.count * len(tables))
    floor = fewest_draws(claim, each)
    directions = list(sides_of(tables))
    worst = max(directions, key=lambda side: side.margin(claim))
    verdict = _verdict(tables, floor)
    result = AuditResult(
        mechanism=name,
        parameters={side.name: side.source for side in sides},
        claim=claim,
        relation=relation,
        verdict=verdict,
        levels=levels_of(directions, claim),
        alpha=alpha,
        log_evalue=0.0,
        samples=sum(map(len, files)),
        effort={**no_effort(), "bets": sum(map(len, files))},
        detectable_epsilon=detectable(directions, claim, each),
        coupled=False,
        witness=_witness(worst, sides, feature, binning, claim)
        if verdict is Verdict.VIOLATION
        else None,
        pairs=tables,
        search=None,
        leaks=(),
        seed=0,
        version=VERSION,
        command=command,
        null=null,
        tried=_tried(tables, binning),
        notes=_notes(files, feature),
        claimed_reach=floor,
        reason=_reason(floor) if verdict is Verdict.INCONCLUSIVE else "",
        recorded=True,
    )
    return timed(result, started)


def _check(paths: Sequence[str | Path], bins: int, alpha: float, null: bool) -> None:
    if null and len(paths) != 1:
        raise InputError("--null compares D with itself; give the file of D alone", paths)
    if not null and len(paths) < 2:
        raise InputError("give two files or more: outputs on D, then those on D1, D2, ...", paths)
    if not 1 <= bins <= MOST_BINS:
        raise InputError(f"bins {bins!r} is not a number from 1 to {MOST_BINS}", bins)
    check_amounts(alpha=alpha)


def _sides(files: Sequence[Samples]) -> list[_Side]:
    return [
        _Side(f"D{place}" if place else "D", str(file.path), encode(file.outputs, len(file)))
        for place, file in enumerate(files)
    ]


def _halves(file: Samples) -> list[_Side]:
    """The first half of one file beside the second; what drifts or repeats shows here."""
    if len(file) < 2:
        raise InputError(f"file {str(file.path)!r} holds one output; halves need two", file.path)
    outcomes, middle = encode(file.outputs, len(file)), len(file) // 2
    return [
        _Side("D", f"{file.path}, first half", outcomes.take(slice(0, middle))),
        _Side("D0", f"{file.path}, second half", outcomes.take(slice(middle, None))),
    ]


def _tables(
    sides: Sequence[_Side], claim: Claim, bins: int, alpha: float
) -> tuple[tuple[PairTable, ...], Feature, Binning]:
    """D against each neighbor, and against all of them pooled, in the same bins."""
    feature = table_feature([side.outcomes for side in sides])
    binning = equal_width([feature.read(side.outcomes) for side in sides], bins, closed=True)
    others = [*sides[1:], *_pooled(sides[1:])]
    tables = tuple(
        pair_table(
            side.name,
            side.source if side.name == "pooled" else f"{side.name} recorded in {side.source}",
            feature,
            binning,
            (sides[0].outcomes, side.outcomes),
            claim,
            alpha,
            len(others),
        )
        for side in others
    )
    return tables, feature, binning


def _pooled(neighbors: Sequence[_Side]) -> list[_Side]:
    """All neighbors as one: what holds for each of them holds for their mixture."""
    if len(neighbors) < 2:
        return []
    names = ", ".join(side.name for side in neighbors)
    return [_Side("pooled", f"{names} pooled", joined([side.outcomes for side in neighbors]))]


def _verdict(tables: Sequence[PairTable], floor: int) -> Verdict:
    if not all(table.satisfied for table in tables):
        return Verdict.VIOLATION
    enough = any(min(table.draws) >= floor for table in tables)
    return Verdict.NOT_REFUTED if enough else Verdict.INCONCLUSIVE


def _witness(
    worst: Side, sides: Sequence[_Side], feature: Feature, binning: Binning, claim: Claim
) -> Witness:
    """The bin whose bounds lie farthest beyond the claim."""
    mask = np.array([binning.label(code) == worst.cell.label for code in range(binning.count)])
    here, there = f"recorded in {sides[0].source}", worst.table.difference
    slope, offset = max(
        claim.lines(claim.level),
        key=lambda line: (worst.left.low - line[1]) / (line[0] * worst.right.high),
    )
    name = worst.table.name
    return Witness(
        pair=name,
        dataset=here if worst.forward else there,
        neighbor=there if worst.forward else here,
        difference=worst.table.difference,
        direction=f"D over {name}" if worst.forward else f"{name} over D",
        event=describe(feature, binning, mask),
        p=worst.left,
        q=worst.right,
        slope=float(slope),
        offset=float(offset),
        draws=min(worst.table.draws),
    )


def _tried(tables: Sequence[PairTable], binning: Binning) -> tuple[str, ...]:
    names = ", ".join(table.name for table in tables)
    return (
        f"{len(tables)} tables of {len(tables[0].bins)} bins in both directions: {names}",
        f"{_BOUNDS_OF_A_BIN * binning.count * len(tables)} exact bounds that share alpha",
    )


def _reason(floor: int) -> str:
    return (
        f"even an output that is certain on D and impossible on its neighbor would take {floor} "
        "recorded outputs of each"
    )


def _notes(files: Sequence[Samples], feature: Feature) -> tuple[str, ...]:
    """What a reader of the tables must know."""
    lengths = {len(file) for file in files}
    told = [_ON_TRUST, "the ends of the bins come from the same outputs as the counts"]
    if feature != Part(OUTPUT):
        told.append(f"outputs are more than a number each; the bins read their {feature.words}")
    if len(lengths) > 1:
        held = ", ".join(f"{file.path.name} {len(file)}" for file in files)
        told.append(f"the files hold unequal numbers of outputs: {held}")
    return (*told, *(note for file in files for note in file.notes))

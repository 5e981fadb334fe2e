"""Tables for people: every pair, and D against all its neighbors pooled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.case import Settings
from audit.claim import Claim
from audit.errors import BlackBoxError
from audit.neighbors import Pair, shown
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.features import Feature
from audit.verdict.frequency_table import TAIL, equal_width, merged, pair_table, table_feature
from audit.verdict.fresh_draws import fresh_draws
from audit.verdict.pair_table import PairTable
from audit.verdict.table_draws import FEWEST, Drawn, TableDraws


def tables_of(session: AuditSession, record: BettingRecord) -> tuple[PairTable, ...]:
    """One table for each pair, and one for D against all given neighbors pooled.

    The ends of the bins come from draws of their own, so that the intervals hold.
    """
    pairs = [pair for k, pair in enumerate(session.pairs) if k not in record.left_out]
    asked = [(p, session.asks_singly(p)) for p in pairs]
    datasets = 2 + len({(id(d), one) for p, one in asked for d in (p.dataset, p.neighbor)})
    draws = min(
        fresh_draws(session.sampler, record),
        session.left // (2 * datasets),
        # On a dataset as many runs, and a share of them for the ends of the bins.
        session.beside // datasets - max(FEWEST, session.beside // (5 * datasets)),
    )
    draws = session.in_time("tables", 2 * datasets * max(0, draws)) // (2 * datasets)
    if draws < FEWEST:
        return ()
    drawer = TableDraws(session, draws)
    drawer.draw(pairs)
    sides = []
    for pair in tuple(pairs):
        try:
            sides.append(drawer.both(pair))
        except BlackBoxError:
            if pair in session.case.pairs:
                raise
            pairs.remove(pair)  # one that the search made up, of which nobody asked for a table
    if not sides:
        return ()
    feature = _feature(record, [outcomes for pair in sides for outcomes, _ in pair])
    together = [k for k, pair in enumerate(pairs) if not session.asks_singly(pair)]
    pooled = _pooled([pairs[k] for k in together], [sides[k] for k in together])
    rows = [(p.name, _difference(p, pairs), *s) for p, s in zip(pairs, sides, strict=True)] + pooled
    claim, settings = record.claim.claim, session.settings
    return tuple(
        _table(name, difference, feature, left_draws, right_draws, claim, settings, len(rows))
        for name, difference, left_draws, right_draws in rows
    )


def _difference(pair: Pair, pairs: Sequence[Pair]) -> str:
    """How the neighbor differs; a pair with a D of its own says what that is."""
    if pair.dataset is pairs[0].dataset:
        return pair.difference
    return f"D is here {shown(pair.dataset)}; its neighbor: {pair.difference}"


def _pooled(pairs: Sequence[Pair], sides: Sequence[tuple[Drawn, Drawn]]) -> list[Any]:
    """D against all neighbors that were made from the same D, pooled."""
    same = [k for k, pair in enumerate(pairs) if pair.dataset is pairs[0].dataset]
    if len(same) < 2:
        return []
    ends = joined([sides[k][1][0] for k in same])
    counts = joined([sides[k][1][1] for k in same])
    names = ", ".join(pairs[k].name for k in same)
    return [("pooled", f"{names} pooled", sides[0][0], (ends, counts))]


def _table(
    name: str,
    difference: str,
    feature: Feature,
    left: Drawn,
    right: Drawn,
    claim: Claim,
    settings: Settings,
    families: int,
) -> PairTable:
    columns = feature.read(left[0]), feature.read(right[0])
    binning = merged(equal_width(columns, settings.bins, tail=TAIL), columns)
    sides = left[1], right[1]
    return pair_table(name, difference, feature, binning, sides, claim, settings.alpha, families)


def _feature(record: BettingRecord, outcomes: Sequence[Outcomes]) -> Feature:
    """The witness's feature where there is one, so that its event can be shaded."""
    bet = record.claim.shown if record.claim.refuted else None
    return table_feature(outcomes) if bet is None else bet.feature

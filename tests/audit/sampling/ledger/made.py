"""Lines of ledgers, made without any audit."""

from __future__ import annotations

from audit.sampling.ledger_entry import Begun, Ended, Entry
from audit.sampling.ledger_history import History

ALPHA = 0.001


def fresh(history: History, identity: str = "code", alpha: float = ALPHA) -> Begun:
    """The next audit that starts afresh."""
    number = len(history.fresh) + 1
    return Begun(
        target="t",
        audit=number,
        build=1,
        alpha=alpha,
        level=history.next_level(alpha),
        seed=number,
        runs=1000,
        identity=identity,
        kept="",
        at="2026-01-01T00:00:00+00:00",
        continues="",
        after=history.last,
    )


def next_build(entry: Begun, at: str = "2026-01-02T00:00:00+00:00") -> Begun:
    """The build that goes on with one."""
    values = {
        name: getattr(entry, name)
        for name in ("target", "audit", "alpha", "level", "seed", "runs", "identity", "kept")
    }
    return Begun(**values, build=entry.build + 1, at=at, continues=entry.origin, after=entry.origin)


def ended(entry: Begun) -> Ended:
    """The line that says what became of one."""
    return Ended(
        begun=entry.mark, target="t", verdict="not-refuted", log_evalue=0.5, samples=9, at="now"
    )


def history(*entries: Entry) -> History:
    """Of the only target there is."""
    return History.of("t", entries)


def afresh(number: int, alpha: float = ALPHA) -> list[Entry]:
    """So many audits, each of changed code."""
    entries: list[Entry] = []
    for k in range(number):
        entries.append(fresh(history(*entries), f"code {k}", alpha))
    return entries

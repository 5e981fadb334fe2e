"""The ledger as a file, and the levels that one target has spent.

Why the target is ever accused falsely with probability at most alpha. A part of it, half of
what there is when the first line is written, is for accusations of all versions together (see
`running_wealth`); what follows is about the rest, r. Let L_1, L_2, ... be the levels of its
audits. Each is fixed before its audit by what the ledger holds by then, and the seed of each is
its own, so that P(audit k accuses falsely | all before) is at most L_k, whatever was changed in
between and for whatever reason. The chance that any of them does is at most
E[L_1 + L_2 + ...], and that sum never exceeds r: with s spent so far over n audits, the next
level is at most (r - s)/(n + 2), a part of what is left. In a ledger of one line of history
this is r/(k(k + 1)) for the k-th audit, with r = alpha/2: of r, the first k - 1 have left r/k.

An audit that goes on with an earlier one's wealth spends nothing. Its draws join those of
the earlier builds in one table, its bets are fixed by the past, and so all its builds are
one nonnegative supermartingale under the claim; Ville's inequality (arXiv 2210.01948)
bounds the chance that it ever reaches 1/L by L, over all builds together. This holds even
where code changed and nothing noticed it, as long as every version keeps the claim.

Copies of a ledger know nothing of each other. Where two went on with one audit side by
side and were merged again, its level counts twice (once for each history, of which there
are at most 1 + the number of builds in excess); and where levels were spent on both
sides, all of them count: what is left is smaller, and nothing is left once alpha is spent.
"""

from __future__ import annotations

import fcntl
import math
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from audit.errors import InputError, StoreError, reason_of
from audit.sampling.ledger_entry import Begun, Ended, Entry, entry_in

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class History:
    """All audits of one target.

    Attributes:
        begun: lines that spent or went on with a level, in the order of the file.
        ended: lines that say what became of one of them.
    """

    begun: tuple[Begun, ...]
    ended: tuple[Ended, ...]

    @classmethod
    def of(cls, target: str, entries: Sequence[Entry]) -> History:
        """The part of a ledger that is about a target."""
        own = [entry for entry in entries if entry.target == target]
        return cls(
            tuple(entry for entry in own if isinstance(entry, Begun)),
            tuple(entry for entry in own if isinstance(entry, Ended)),
        )

    @property
    def fresh(self) -> tuple[Begun, ...]:
        """The audits that started with a wealth of 1."""
        return tuple(entry for entry in self.begun if not entry.continues)

    @property
    def last(self) -> str:
        """Mark of the last line that spent a level, "" where there is none."""
        return self.fresh[-1].mark if self.fresh else ""

    @property
    def spent(self) -> float:
        """The sum of all levels, those of wealth that went on side by side once for each."""
        excess = self._excess()
        return math.fsum(entry.level * (1 + excess[entry.mark]) for entry in self.fresh)

    @property
    def together(self) -> float:
        """The part of alpha that all audits of the target have in common; 0 where none has."""
        return max((entry.together for entry in self.begun), default=0.0)

    def half_of_rest(self, alpha: float) -> float:
        """The part of alpha that all audits have in common, from the next one on."""
        return self.together or max(0.0, alpha - self.spent) / 2.0

    def next_level(self, alpha: float, together: float = 0.0) -> float:
        """The level of the next audit that starts afresh; 0 where alpha is spent.

        Args:
            alpha: of the target.
            together: the part of it that all audits have in common.
        """
        number = len(self.fresh) + 1
        left = alpha - together - self.spent
        return max(0.0, min(alpha / (number * (number + 1)), left / (number + 1)))

    def latest(self, identity: str) -> Begun | None:
        """The last build of the last audit of the same code, dependencies, data and claim."""
        fresh = [entry for entry in self.fresh if entry.identity == identity]
        if not fresh:
            return None
        builds = [entry for entry in self.begun if entry.origin == fresh[-1].mark]
        return max(builds, key=lambda entry: entry.build)

    def finished(self, entry: Begun) -> bool:
        """Whether it is known what became of a build."""
        return any(end.begun == entry.mark for end in self.ended)

    def misfits(self) -> Iterator[str]:
        """Why lines cannot stand beside the others; nothing where all can."""
        marks = {entry.mark: entry for entry in self.begun}
        yield from self._orphans(marks)
        for entry in self.fresh:
            if entry.level > entry.alpha / (entry.audit * (entry.audit + 1)) * (1 + _ROUNDING):
                yield f"audit {entry.audit} has more than its level"
            if entry.together > entry.alpha / 2 * (1 + _ROUNDING):
                yield f"audit {entry.audit} leaves less than half of alpha to single audits"
            if entry.audit > len(self.fresh):
                yield f"audit {entry.audit} is there, and one before it is not"
        if len({entry.alpha for entry in self.begun}) > 1:
            yield "its audits share different alphas"

    def _orphans(self, marks: dict[str, Begun]) -> Iterator[str]:
        for entry in self.begun:
            for name in (entry.after, entry.continues):
                if name and (name not in marks or marks[name].continues):
                    yield f"audit {entry.audit} follows a line that is missing or was changed"
        if any(end.begun not in marks for end in self.ended):
            yield "an audit ended that never began"

    def _excess(self) -> Counter[str]:
        """For each audit, by its mark, the builds beyond those of one line of history."""
        ends = Counter(end.begun for end in self.ended)
        builds: Counter[tuple[str, int]] = Counter()
        for entry in self.begun:
            builds[entry.origin, entry.build] += max(1, ends[entry.mark])
        found: Counter[str] = Counter()
        for (origin, _), number in builds.items():
            found[origin] += number - 1
        return found


@dataclass(slots=True)
class LedgerFile:
    """The file while nobody else may write to it."""

    path: Path
    file: BinaryIO

    @classmethod
    @contextmanager
    def locked(cls, path: Path) -> Iterator[LedgerFile]:
        """The file, made where there is none; others wait until the context ends.

        Raises:
            StoreError: it cannot be read or written.
        """
        try:
            with path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield cls(path, file)
        # ValueError: a name that no file can have.
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or reason_of(error)
            raise StoreError(
                f"--ledger {str(path)!r} cannot be used: {reason}; give a file in a folder that "
                "you may write to",
                path,
            ) from error

    def entries(self) -> list[Entry]:
        """All lines, each by itself.

        Raises:
            InputError: one is no entry, or was changed.
        """
        self._without_torn_line()
        self.file.seek(0)
        lines = self.file.read().decode("utf-8", "replace").splitlines()
        return [self._entry(number, line) for number, line in enumerate(lines, 1) if line.strip()]

    def history(self, target: str) -> History:
        """What the file says of a target.

        Raises:
            InputError: a line does not fit, by itself or beside the others.
        """
        found = History.of(target, self.entries())
        for misfit in found.misfits():
            raise self.unfit(f"of {target!r} {misfit}")
        return found

    def add(self, entry: Entry) -> None:
        """Add a line, on the disk before this returns."""
        self.file.write(f"{entry.to_line()}\n".encode())
        self.file.flush()
        os.fsync(self.file.fileno())

    def unfit(self, why: str) -> InputError:
        """The error that says what does not fit."""
        return InputError(
            f"--ledger {str(self.path)!r} cannot be trusted: {why}; bring back an earlier copy, "
            "or give another file, whose levels start anew",
            self.path,
        )

    def _without_torn_line(self) -> None:
        """Forget a line that was not written to its end: no audit has begun with it."""
        self.file.seek(0)
        text = self.file.read()
        if text and not text.endswith(b"\n"):
            self.file.truncate(text.rfind(b"\n") + 1)

    def _entry(self, number: int, line: str) -> Entry:
        try:
            return entry_in(line)
        except ValueError as error:
            raise self.unfit(f"line {number} does not fit, {error}") from None

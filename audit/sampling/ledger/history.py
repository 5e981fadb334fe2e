"""What a ledger says of one target: the levels it has spent, and the next one.

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

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.sampling.ledger.entry import Begun, Ended, Entry

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

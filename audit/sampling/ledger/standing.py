"""Where an audit stands among all audits of its target, for results and reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What all versions of a target came to together.

    Attributes:
        level: the part of alpha that this has.
        log_wealth: natural log of the wealth of all versions that count.
        gained: natural log of the factor by which this build changed it; None where what it won
            may not be counted.
        accused: whether the wealth reached 1/level: some version since that audit is wrong.
        since: number of the audit since which versions look worst.
        builds: since then, this one included.
        runs: of the mechanism in these builds, of all their stages.
    """

    level: float
    log_wealth: float
    gained: float | None
    accused: bool
    since: int
    builds: int
    runs: int

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where an audit stands among all audits of its target.

    Attributes:
        file: the ledger, as it was named.
        target: what is audited.
        audit: the number of this audit among all that began afresh.
        build: how often its wealth was gone on with, and once more.
        alpha: chance of ever accusing the target falsely, all audits together.
        runs: of the mechanism at most, all builds of this audit together.
        together: what all versions came to together; None where nothing is kept of that.
    """

    file: str
    target: str
    audit: int
    build: int
    alpha: float
    runs: int
    together: Together | None = None

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        return {
            "file": self.file,
            "target": self.target,
            "audit": self.audit,
            "build": self.build,
            "alpha": self.alpha,
            "runs": self.runs,
            **({} if self.together is None else {"together": self.together.as_json()}),
        }

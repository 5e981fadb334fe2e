"""Entries of one library, written with what differs between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from audit.claims import Claim, PureDP
from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.external.call import Call, Release

ADD_REMOVE, SUBSTITUTE = Relation.ADD_REMOVE, Relation.SUBSTITUTE
DECLARED, USER = Relation.DECLARED, Relation.USER


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a claim does not hold.

    Attributes:
        cause: what the code does.
        epsilon: the smallest epsilon that holds at the claim's delta, None where unknown.
        thread: where the maintainers know of it, empty when no thread was found.
        warned: what the library's documentation says about it.
    """

    cause: str
    epsilon: float | None = math.inf
    thread: str = ""
    warned: str = ""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All entries of one library share these.

    Attributes:
        library: its package.
        version: the version that is installed.
        documentation: where its claims are documented.
    """

    library: str
    version: str
    documentation: str

    def entry(
        self,
        name: str,
        call: str,
        does: Release,
        data: Any,
        *neighbors: Any,
        claims: Claim | None = None,
        relation: Relation = DECLARED,
        domain: str | None = None,
        documented: str = "",
        warned: str = "",
        leaks: bool = False,
        broken: Finding | None = None,
        independent: bool = False,
    ) -> Entry:
        """An entry, with the claim epsilon = 1 by default.

        Args:
            name: its name, without that of the library.
            call: the call in words of the library.
            does: makes the call.
            data: the dataset D.
            neighbors: its neighbors; none when they are built from D.
            claims: what the library claims.
            relation: what makes two datasets neighbors.
            domain: the record domain, where worse neighbors shall be searched.
            documented: the page that states the claim, within the documentation.
            warned: what the library itself says about its weakness.
            leaks: whether floating-point bits are expected to give the data away.
            broken: why the claim does not hold, None when it is thought to hold.
            independent: no call sees what another one drew.
        """
        found = broken or Finding("", None)
        made = Call(
            library=self.library,
            version=self.version,
            call=call,
            documented=f"{self.documentation}{': ' if documented else ''}{documented}",
            cause=found.cause,
            warned=warned or found.warned,
            thread=found.thread,
            claims=claims or PureDP(1.0),
            does=does,
        )
        source = found.thread or found.cause
        return Entry(
            name=f"{self.library}-{name}",
            group=f"{self.library} {self.version}",
            summary=call,
            mechanism=made,
            relation=relation,
            data=data,
            neighbors=neighbors,
            domain=domain,
            truth=Truth(
                keeps=broken is None,
                epsilon=found.epsilon if broken else None,
                source=source,
                leaks=leaks,
            ),
            independent_calls=independent,
        )

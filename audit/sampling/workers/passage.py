"""Whether calls in another process change a black box that was sent there.

Calls made elsewhere stand for calls made here only if none of them changes what the black
box carries: here, those behind would have found it changed. So it is compared where it
arrives, before the calls and after them. A first call may prepare things that had not
travelled; then the box carries afterwards what it carried here when it was sent, as here
that call has been made. Anything else is a change, and the calls are made again here, in
order. Calls that change a box and change it back are not seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.blackbox.interface import BlackBox
from audit.blackbox.state import carried


@dataclass(frozen=True, slots=True)
class Passage:
    """What a black box carried at both ends of its way, as checksums; None where untold.

    Attributes:
        sent: where it came from, when it was sent.
        arrived: where it arrived, before any call.
    """

    sent: bytes | None
    arrived: bytes | None

    @classmethod
    def of(cls, box: BlackBox, sent: bytes | None) -> Passage:
        """That of a black box which has just arrived."""
        return cls(sent, carried(box))

    def changed(self, box: BlackBox) -> bool:
        """Whether calls have changed it since."""
        return carried(box) not in (self.arrived, self.sent)

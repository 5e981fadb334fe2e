"""A domain that does not fit: no dataset of the search's making that has records gives an output.

A function that expects other columns, other types or another shape fails on every
such dataset, while the empty one may pass. That tells the two apart, but says
nothing of privacy. A mechanism that fails on some datasets only, on an empty one
or for one extreme record, is another matter: its failures are outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from audit.neighbors import Pair
from audit.neighbors.domain import Domain
from audit.neighbors.search.left_out import LeftOut, in_json, was_left_out
from audit.neighbors.search.oracle import Failed, Oracle, Unreadable
from audit.neighbors.within import numbers_in
from audit.relation import AnyRelation, Measure, Within

_TRIED = 20
"""Listed datasets, evenly spread from the smallest to the largest, that all have to fail."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Failure on datasets that seem not to be what a black box expects.

    Attributes:
        domain: what they were made from.
        dataset: the first of them.
        failure: what all runs on it ended in.
        everywhere: whether datasets without records ended in the same, or there are none.
    """

    domain: Domain
    dataset: Any
    failure: Failed
    everywhere: bool

    def __str__(self) -> str:
        """Message without a full stop."""
        said = f": {self.failure.message}" if self.failure.message else ""
        some = "" if self.everywhere else " with records"
        return (
            f"does the domain {self.domain} fit? No dataset{some} that the search made up gave an "
            f"output; every run on {in_json(self.dataset)} ended in {self.failure.kind}{said}"
        )


def _asked_about(found: Iterable[Pair], listed: Sequence[Pair]) -> list[Any]:
    """Datasets that were looked at, then some of all sizes."""
    looked_at = [data for pair in found for data in (pair.dataset, pair.neighbor)]
    step = max(1, len(listed) // _TRIED)
    return [*looked_at, *(pair.neighbor for pair in (*listed[::step], *listed[-1:]))]


def misfit_of(
    oracle: Oracle, domain: Domain, found: Iterable[Pair], listed: Sequence[Pair]
) -> Misfit | None:
    """Find how a domain does not fit; None if a dataset with records gave an output.

    Args:
        oracle: what is asked.
        domain: what the pairs were made from.
        found: pairs that were looked at, which are asked about first.
        listed: others, of all sizes.
    """
    first, kinds = None, set[str]()
    for data in filter(len, _asked_about(found, listed)):
        failure = _failure(oracle, data)
        if failure is None:
            return None
        first = first or (data, failure)
        kinds.add(failure.kind)
    if first is None:
        return None
    for data in [pair.dataset for pair in listed if not len(pair.dataset)][:1]:
        failure = _failure(oracle, data)
        kinds.add("" if failure is None else failure.kind)
    return Misfit(domain, *first, everywhere=len(kinds) == 1)


def _failure(oracle: Oracle, data: Any) -> Failed | None:
    """Failure of all runs on a dataset; an unreadable output is none."""
    try:
        return oracle.failure(data)
    except Unreadable:
        return None


def bet_on_anyway(
    listed: Sequence[Pair], relation: AnyRelation, left_out: Sequence[LeftOut]
) -> list[Pair]:
    """The simplest pair; and where numbers may all move at once, the longest that do.

    Noise that suits one number often loses most where all of them move, and shows that only
    far out, where short looks do not reach: they take one move for as bad as the other.

    Args:
        listed: pairs, the smallest first.
        relation: what makes datasets neighbors.
        left_out: pairs that cannot be bet on.
    """
    usable = (pair for pair in listed if not was_left_out(pair, left_out))
    simplest = [*islice(usable, 1)]
    if not isinstance(relation, Within) or relation.measure not in (Measure.L2, Measure.LINF):
        return simplest
    together = [pair for pair in usable if _all_alike(pair)]
    longest = max(together, key=lambda pair: len(pair.dataset), default=None)
    return simplest if longest is None else [*simplest, longest]


def _all_alike(pair: Pair) -> bool:
    """True if all of several numbers move by the same step."""
    left, right = numbers_in(pair.dataset), numbers_in(pair.neighbor)
    if left is None or right is None or left.size < 2:
        return False
    steps = right - left
    return bool(steps[0] != 0.0 and (steps == steps[0]).all())

"""Budget and result of a search: pairs left out, and a domain that does not fit.

A function that expects other columns, other types or another shape fails on every
such dataset, while the empty one may pass. That tells the two apart, but says
nothing of privacy. A mechanism that fails on some datasets only, on an empty one
or for one extreme record, is another matter: its failures are outputs.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from audit.errors import BlackBoxError
from audit.neighbors import Pair, shown
from audit.neighbors.candidates import numbers_in
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import key
from audit.neighbors.rows import has_records, keys_of
from audit.neighbors.search.oracle import Failed, Oracle, Unreadable
from audit.relation import AnyRelation, Measure, Within

DERIVED = "domain derived from D: --domain "
"""Beginning of the note that names a derived domain."""
_SIZES_TRIED = 12
"""Sizes at which nothing could be read after which no others are tried."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A pair of the search's making that cannot be bet on.

    Attributes:
        pair: the datasets.
        error: why.
        late: whether all that is wrong is that no run ended in time.
    """

    pair: Pair
    error: BlackBoxError
    late: bool


def _name(data: Any) -> Hashable:
    return tuple(keys_of(data)) if has_records(data) else key(data)


def name_of(pair: Pair) -> Hashable:
    """The same for pairs of the same datasets."""
    return _name(pair.dataset), _name(pair.neighbor)


def distinct(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs without those of the same datasets as an earlier one."""
    return list({name_of(pair): pair for pair in pairs}.values())


def marked(pairs: Iterable[Pair], known: Iterable[Pair]) -> tuple[Pair, ...]:
    """The pairs, marked as made by the search if their D is none of the known datasets."""
    given = {_name(pair.dataset) for pair in known}
    return tuple(replace(pair, made=_name(pair.dataset) not in given) for pair in pairs)


def was_left_out(pair: Pair, left_out: Sequence[LeftOut]) -> bool:
    """True if a pair of the same datasets was left out."""
    return bool(left_out) and name_of(pair) in {name_of(other.pair) for other in left_out}


def takes_too_long(pair: Pair, left_out: Sequence[LeftOut]) -> bool:
    """True if runs took too long on a pair with no more records than this one."""
    return any(other.late and min(_sizes(pair)) >= min(_sizes(other.pair)) for other in left_out)


def as_hopeless(pair: Pair, left_out: Sequence[LeftOut]) -> bool:
    """True if every pair so far was left out, and enough of this size or of others.

    A black box that nothing can be made of may be slow to say so.
    """
    sizes = {max(_sizes(other.pair)) for other in left_out}
    return len(sizes) >= _SIZES_TRIED or max(_sizes(pair)) in sizes


def _sizes(pair: Pair) -> tuple[int, int]:
    """Records of both datasets; of those with questions these as well."""
    one, other = (
        sum(map(len, data.values())) if isinstance(data, dict) else len(data)
        for data in (pair.dataset, pair.neighbor)
    )
    return one, other


def in_json(data: Any, other: Any = None) -> str:
    """A dataset in one line of JSON, or in words where it is large: see `shown`."""
    value = shown(data, other)
    return value if isinstance(value, str) else json.dumps(value)


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
        said = f": {self.failure.message}" if self.failure.message else ""
        some = "" if self.everywhere else " with records"
        return (
            f"does the domain {self.domain} fit? No dataset{some} that the search made up gave an "
            f"output; every run on {in_json(self.dataset)} ended in {self.failure.kind}{said}"
        )


def misfit_of(
    oracle: Oracle, domain: Domain, found: Iterable[Pair], listed: Sequence[Pair]
) -> Misfit | None:
    """Find how a domain does not fit; None if a dataset with records gave an output.

    Pairs that were looked at are asked about first, then some of those listed, of all sizes.
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


def _asked_about(found: Iterable[Pair], listed: Sequence[Pair]) -> list[Any]:
    """Both datasets of the pairs found, and the neighbors of some of those listed."""
    step = max(1, len(listed) // _TRIED)
    asked = [data for pair in found for data in (pair.dataset, pair.neighbor)]
    return asked + [pair.neighbor for pair in (*listed[::step], *listed[-1:])]


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
    far out, where short looks do not reach: they take one move for as bad as the other. Pairs
    are listed the smallest first; those that were left out cannot be bet on.
    """
    usable = (pair for pair in listed if not was_left_out(pair, left_out))
    simplest = [*islice(usable, 1)]
    if not isinstance(relation, Within) or relation.measure not in (Measure.L2, Measure.LINF):
        return simplest
    together = filter(_all_alike, usable)
    return [*simplest, *sorted(together, key=lambda pair: -len(pair.dataset))[:1]]


def _all_alike(pair: Pair) -> bool:
    """True if all of several numbers move by the same step."""
    left, right = numbers_in(pair.dataset), numbers_in(pair.neighbor)
    if left is None or right is None or left.size < 2:
        return False
    steps = right - left
    return bool(steps[0] != 0.0 and (steps == steps[0]).all())


_GLIMPSED = 640
"""Runs with which every listed pair is looked at; with fewer in all, bets need them more."""
_RARE = 30
"""One part in so many of the runs goes to looks at what is rare, if each takes a run of its own."""
_NOTHING_TRIED = (
    "no pair of datasets that the domain allows could be looked at: they are too large to be made "
    "up, or the runs too few; give fewer records behind the domain, more `max_samples`, or `data`"
)


@dataclass(frozen=True, slots=True)
class Found:
    """Result of a search.

    Attributes:
        pairs: places to bet, called S1, S2, ..., the most promising first.
        refuted: whether the claim fell on the first of them, which then is the
            smallest such pair found and should be bet on alone before any other.
        tried: different pairs that were looked at, beside those that were known.
        shrinks: of them those that were smaller than the one before, and refuted too.
        left_out: pairs that cannot be bet on, in the order in which they were tried.
        misfit: how the domain does not fit, None where nothing speaks against it; no
            pair is worth a bet where it does not.
        reach: how many of the neighbors of somebody's data were tried, and the domain that
            was derived from them, in words.
    """

    pairs: tuple[Pair, ...]
    refuted: bool
    tried: int
    shrinks: int = 0
    left_out: tuple[LeftOut, ...] = ()
    misfit: Misfit | None = None
    reach: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on it, one sentence each."""
        misfit = () if self.misfit is None else (f"{self.misfit}",)
        if not self.left_out:
            return (*misfit, *self.reach)
        first, *more = self.left_out
        which = f"{first.pair.difference}, where D is {in_json(first.pair.dataset)}"
        count = f"{1 + len(more)} pairs" if more else "a pair"
        said = f"the search left out {count} that cannot be bet on ({which}): {first.error}"
        return (*misfit, *self.reach, said)

    @property
    def hopeless(self) -> BlackBoxError | None:
        """Why nothing can be said where no other pair is known, None where something can."""
        if self.misfit is not None:
            return BlackBoxError(f"{self.misfit}") if self.misfit.everywhere else None
        if self.pairs:
            return None
        if not self.left_out:
            return BlackBoxError(_NOTHING_TRIED)
        first = self.left_out[0]
        if not first.late:
            return first.error
        where = f"D = {in_json(first.pair.dataset)} and D {first.pair.difference}"
        return BlackBoxError(
            f"no pair that the search made up can be bet on, such as {where}: {first.error}"
        )


@dataclass(frozen=True, slots=True)
class Appetite:
    """Budget of a search.

    Attributes:
        runs: for looking at pairs of one's own making, half as many again for steps up from
            them; or as many for shrinking a pair.
        listed: for looking at listed pairs.
        examples: how many pairs to make up.
        kept: one in so many pairs gets more than a short look.
        step: runs of a look at a pair that may be a step up.
        rare: for looks at what is rare.
    """

    runs: int
    listed: int
    examples: int
    kept: int = 1
    step: int = 32
    rare: int = 0

    @classmethod
    def of(cls, max_samples: int, many: bool) -> Appetite:
        """Little where every output needs a run of its own, which may be slow."""
        if many:
            part = max_samples // 10
            return cls(part, part, 64, rare=part // 8)
        runs = max_samples // 24
        glimpsed = min(max_samples // 6, _GLIMPSED) if max_samples >= _GLIMPSED else 0
        return cls(runs, max(runs, glimpsed), 40, 3, 16, max_samples // _RARE)

    @classmethod
    def of_sessions(cls, max_samples: int) -> Appetite:
        """More where questions are chosen as well: at most of them a wrong session is right."""
        return cls(max_samples // 8, max_samples // 8, 100, 2, 16)


def named(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """The same pairs as S1, S2, ..."""
    return tuple(replace(pair, name=f"S{i}") for i, pair in enumerate(pairs, 1))

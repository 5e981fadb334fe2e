"""The wealth of all versions of a target together, which sees what no single one can show.

Audits that begin afresh are numbered 1, 2, ...; each build of one ends with a wealth against its
claim, and W >= 0 is that wealth over the one that the build began with. The wealth of an audit is
a supermartingale if its version keeps the claim, so that E[W] <= 1 given all that was known before,
whenever the build ends (optional stopping), and no run is made for W alone. Hence

    X = CASH + (1 - CASH) W

has expectation at most 1, too. What did not end, or may not be stated, counts as W = 0: it costs
the wealth a factor of CASH, never the guarantee. With weights w_k >= 0 that sum to 1 let

    M_k(t) = sum over n >= k of w_n * product of X over all builds of audits numbered >= n.

Audits that have not begun have X = 1, so that M_k starts with at most 1. Each build multiplies
some of its terms by its own X, and which ones is known before it begins. So while the audits
numbered k and later keep the claim, M_k is a nonnegative supermartingale, whatever decided when
to audit and when to stop, and however many versions there are (e-processes as in arXiv
2210.01948; the weights take the place of the reward in a Shiryaev-Roberts sum).

An accusation "some version since audit k breaks the claim" is made where M_k >= 1/level. It is
false only where all audits from k on keep the claim. Let Z be M_(v + 1), with v the last audit so
far of a version that breaks it, 0 for none: when such a version comes along, terms are dropped and
none is added; else Z moves like a supermartingale. So Z is one, starting with 1, and is at least
M_k wherever an accusation of k would be false: by Ville's inequality, the chance that any such
accusation is ever made, for whatever k and whenever, is at most the level.

After an accusation the terms that began with it or before are dropped as soon as another version is
there: what was told need not be told of the mended one. Copies of a ledger that were merged may
hold several audits of one number, or a build twice, and these share their random numbers: the
least of them counts. Dropping terms and taking less never makes M_k larger than in one of the
histories that were merged, so that level is that of each history.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from audit.sampling.ledger_entry import FORFEIT, Begun, Ended, Together
from audit.sampling.ledger_history import History

Floats = NDArray[np.float64]
CASH = 0.1
"""Part of the wealth that no build can lose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningWealth:
    """What all versions of a target came to together.

    Attributes:
        log_wealth: natural log of the wealth since the first audit that counts.
        accused: whether it is enough to accuse some version.
        since: number of the audit; where some version is accused, one since this one, else
            the audit since which the versions look worst. 0 where there is none.
    """

    log_wealth: float = 0.0
    accused: bool = False
    since: int = 0


def reserve(number: int) -> float:
    """The weights of all audits behind this one: 1 - w_1 - ... - w_number.

    It falls so slowly that the thousandth audit still has a weight of 2e-5.
    """
    return math.log(2.0) / math.log(number + 2.0)


def kept(log_factor: float) -> float:
    """Log of the factor X that a build's own factor W comes to, both as logs."""
    return float(np.logaddexp(math.log(CASH), math.log1p(-CASH) + max(FORFEIT, log_factor)))


def running_wealth(steps: Sequence[tuple[int, float]], level: float) -> RunningWealth:
    """The wealth after these steps.

    Args:
        steps: numbers of audits, which do not fall, and logs of factors X.
        level: chance of ever accusing falsely.
    """
    goal, last = -math.log(level), 0
    starts: list[int] = []
    logs = np.empty(0)
    found, told = RunningWealth(), None
    for number, group in groupby(steps, key=lambda step: step[0]):
        if told is not None:
            starts, logs, told = [], np.empty(0), None
        starts.append(number)
        logs = np.append(logs, math.log(reserve(last) - reserve(number)))
        last = number
        for _, factor in group:
            logs += factor
            found = _wealth(starts, logs, goal)
            # What was accused once stays so, as long as it is not changed.
            told = found if found.accused else told
            found = told or found
    return found


def _wealth(starts: Sequence[int], logs: Floats, goal: float) -> RunningWealth:
    left = math.log(reserve(starts[-1]))
    since = np.logaddexp.accumulate(np.append(logs, left)[::-1])[::-1]
    enough = np.flatnonzero(since[:-1] >= goal)
    place = int(enough[-1]) if enough.size else int(logs.argmax())
    return RunningWealth(log_wealth=float(since[0]), accused=bool(enough.size), since=starts[place])


def steps_of(
    history: History, pending: Begun | None = None, gained: float = FORFEIT
) -> list[tuple[int, float]]:
    """The steps that a ledger tells of a target, in the order of its audits.

    Args:
        history: of the target.
        pending: a build that is about to end, of which the ledger does not know that.
        gained: log of its factor W.
    """
    factors = _factors(history)
    if pending is not None:
        factors[pending.mark] = kept(gained)
    audits = {e.mark: e for e in history.fresh if e.together > 0.0}
    found = []
    for number in sorted({entry.audit for entry in audits.values()}):
        same = [entry for entry in audits.values() if entry.audit == number]
        paths = [_path(history, entry, factors) for entry in same]
        steps = paths[0] if len(paths) == 1 else [min(map(math.fsum, paths))]
        found += [(number, step) for step in steps]
    return found


def _factors(history: History) -> dict[str, float]:
    """Logs of the factors X of all builds that ended, by their marks."""
    found: dict[str, float] = {}
    for end in history.ended:
        factor = kept(end.gained)
        found[end.begun] = min(factor, found.get(end.begun, factor))
    return found


def _path(history: History, origin: Begun, factors: Mapping[str, float]) -> list[float]:
    """Logs of the factors of all builds of an audit, one after the other."""
    builds: dict[int, float] = {}
    for entry in history.begun:
        if entry.origin == origin.mark:
            factor = factors.get(entry.mark, kept(FORFEIT))
            builds[entry.build] = min(factor, builds.get(entry.build, factor))
    return [factor for _, factor in sorted(builds.items())]


def together_of(history: History, entry: Begun, end: Ended) -> Together | None:
    """What all versions came to together with a build that ends now; None where none counts."""
    if not entry.together:
        return None
    steps = steps_of(history, entry, end.gained)
    found = running_wealth(steps, history.together)
    builds = [other for other in history.begun if other.audit >= found.since and other.together]
    # The last build of an audit tells the runs of those before, too.
    runs: dict[str, int] = {entry.origin: end.samples}
    for other in builds:
        ended = [known.samples for known in history.ended if known.begun == other.mark]
        runs[other.origin] = max([runs.get(other.origin, 0), *ended])
    return Together(
        level=history.together,
        log_wealth=found.log_wealth,
        gained=None if end.gained == FORFEIT else end.gained,
        accused=found.accused,
        since=found.since,
        builds=len({other.mark for other in builds}),
        runs=sum(runs.values()),
    )

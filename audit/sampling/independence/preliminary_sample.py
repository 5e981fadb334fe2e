"""A sample of fresh instances that is looked at and not bet on, before anything is stated.

It only takes statements back. Bets assume that instances share nothing drawn before their start,
and nothing outside their process; this sample looks for both.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.sampling.independence.life import Answered, Life, Question, Sightings

CLONES, CLOCK, OUTSIDE = "clones", "clock", "outside-process"
ALONE = 4
"""Instances in interpreters of their own, with hash seeds of their own."""
_BURSTS = (0.0, 1.0, 3.0)
"""Seconds after the first burst."""
_MORE_BURSTS = tuple(map(float, range(8)))
"""Where outputs have few values: bursts in so many different seconds."""
_APART = 86_400.0 + 3_600.0 + 60.0 + 1.0
"""Seconds between the clocks of two bursts: seeds by the second, minute, hour and day differ."""
_LIVES = 6
"""In a burst."""
MOST_LIVES = _LIVES * (len(_BURSTS) + len(_MORE_BURSTS)) + ALONE
"""Of a preliminary sample."""
_SLOW = 0.2
"""Seconds of a life from which on units are made between two of a burst."""
_FEW_VALUES = 6
_MOST_PARTS = 64
"""Of a list, in which clones are looked for one by one."""
_LEVEL = 1e-3
_SHUFFLES = 19_999
_DOUBTS = {
    CLONES: (
        "fresh instances are clones of each other: their noise was drawn before they started, or "
        "follows from something that forks share (a generator in C, a hash seed); give factory=, "
        "or --assume independent-calls if calls draw their noise anew"
    ),
    CLOCK: (
        "instances that start at about the same time are more alike than others: the noise seems "
        "to be seeded by the clock; seed it from the operating system (--assume independent-calls "
        "would be false)"
    ),
    OUTSIDE: (
        "instances use something outside their process ({traces}), which may remember earlier "
        "ones; give --assume independent-calls if calls draw their noise anew"
    ),
}


@dataclass(frozen=True, slots=True)
class Preliminary:
    """Doubts about the independence of fresh instances.

    Attributes:
        doubts: `CLONES`, `CLOCK`, `OUTSIDE`.
        traces: what lives did outside their process: "socket", "process", "database", files.
        runs: outputs that were drawn.
    """

    doubts: tuple[str, ...]
    traces: tuple[str, ...]
    runs: int

    @property
    def doubt(self) -> str:
        """The first of them as a clause; empty if there is none."""
        return _DOUBTS[self.doubts[0]].format(traces=", ".join(self.traces)) if self.doubts else ""


Parts = Mapping[str, bytes]
"""Digests of the parts of a life's answers, by their places."""
Begin = Callable[[], Callable[[], list[Answered]]]
"""Begins lives; what it gives waits for their answers."""


class PreliminarySample:
    """Lives in bursts some seconds apart, made when there is time for them.

    The sample is fixed beforehand, but for a second set of bursts which is added by a rule that
    does not depend on the order of the first.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Life]], list[Answered]],
        alone: Begin | None,
        sightings: Callable[[], Sightings],
        questions: tuple[Question, ...],
        entropy: tuple[int, ...],
        *,
        cloned: bool = False,
        tried: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """No life yet.

        Args:
            run: answers lives.
            alone: begins instances in interpreters of their own, which take long to start; None
                where every life is one.
            sightings: of all lives so far.
            questions: of each life.
            entropy: words from which those of each life follow.
            cloned: whether forks are known to be clones.
            tried: outputs of trial lives, which are counted with those of the sample.
            clock: seconds.
            sleep: waits.
        """
        self._run, self._alone, self._sightings = run, alone, sightings
        self._questions, self._entropy = questions, entropy
        self._cloned, self._tried, self._clock, self._sleep = cloned, tried, clock, sleep
        self._plan: tuple[float, ...] = _BURSTS
        self._bursts: list[list[bytes]] = [[]]
        self._samples = list[list[list[bytes]]]()
        self._parts: list[Parts] = []
        self._made, self._started = 0, clock()
        self._others: Callable[[], list[Answered]] = list

    def _parts_of(self, answered: Answered) -> Parts:
        """Digests of a life's answers, part by part: those of one place together."""
        found: dict[str, list[Any]] = {}
        for (_, size), answer in zip(self._questions, answered.outputs, strict=False):
            for output in answer if size > 1 and isinstance(answer, list) else [answer]:
                for name, leaf in _leaves(output):
                    found.setdefault(name, []).append(leaf)
        return {name: _digest(leaves) for name, leaves in found.items()}

    def advance(self) -> None:
        """Make the bursts that are due, or one life of them if it is slow; nothing waits."""
        while (due := self._due) is not None and due <= 0.0:
            if self._one() > _SLOW:
                return

    @property
    def complete(self) -> bool:
        """True if all bursts were made."""
        return self._due is None

    @property
    def _due(self) -> float | None:
        """Seconds until the next life; None after the last one."""
        if len(self._bursts) > len(self._plan):
            return None
        return self._started + self._plan[len(self._bursts) - 1] - self._clock()

    def _one(self) -> float:
        """Make the next life of a burst; the seconds that it took."""
        begun = self._clock()
        # It is no unit: its number is negative.
        entropy = (*self._entropy, self._made)
        later = _APART * (len(self._bursts) - 1)
        clock = time.time() + later if later else 0.0
        (answered,) = self._run([Life(-1 - self._made, entropy, self._questions, clock)])
        self._made += 1
        self._bursts[-1].append(_digest(answered.outputs))
        self._parts.append(self._parts_of(answered))
        if len(self._bursts[-1]) == _LIVES:
            # Forks that differ in everything are no clones.
            if self._made == _LIVES and _agreed(self._parts) and self._alone is not None:
                self._others = self._alone()
            self._bursts.append([])
        if len(self._bursts) > len(self._plan):
            self._end()
        return self._clock() - begun

    def _end(self) -> None:
        """Keep a whole sample; where it has few values, begin another one."""
        sample = self._bursts[:-1]
        self._samples.append(sample)
        values = {value for burst in sample for value in burst}
        if self._plan is _BURSTS and 1 < len(values) <= _FEW_VALUES:
            self._plan, self._bursts, self._started = _MORE_BURSTS, [[]], self._clock()

    def result(self) -> Preliminary:
        """The doubts, after the last burst; waits for bursts that are not due yet."""
        while (due := self._due) is not None:
            self._sleep(max(0.0, due))
            self._one()
        # Each of up to two tests is made at half the level.
        p_value = min(clock_p_value(s, (*self._entropy, k)) for k, s in enumerate(self._samples))
        alone = [*map(self._parts_of, self._others())]
        traces = self._sightings().shared
        found = {
            CLONES: self._cloned or are_clones(self._parts[: _LIVES * len(_BURSTS)], alone),
            CLOCK: p_value <= _LEVEL / 2,
            OUTSIDE: bool(traces),
        }
        doubts = tuple(name for name, true in found.items() if true)
        runs = (self._made + len(alone)) * sum(size for _, size in self._questions)
        return Preliminary(doubts, traces, self._tried + runs)


def are_clones(forks: Sequence[Parts], alone: Sequence[Parts]) -> bool:
    """Whether forks agree in a part of their answers, and with no instance of an interpreter in it.

    Of 18 + 4 exchangeable instances, the four that differ are those four with probability 1/7315.
    """
    shared = ((name, forks[0][name]) for name in _agreed(forks))
    return bool(alone) and any(all(o.get(name) != same for o in alone) for name, same in shared)


def _agreed(lives: Sequence[Parts]) -> list[str]:
    """Parts of answers in which all of these agree."""
    first = lives[0]
    return [name for name in first if all(one.get(name) == first[name] for one in lives)]


def _leaves(output: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Parts of an output that hold no others, by their places."""
    if isinstance(output, np.ndarray) and output.ndim > 1:
        output = list(np.moveaxis(output, -1, 0))
    elif isinstance(output, (set, frozenset)):
        output = sorted(output, key=repr)
    if not isinstance(output, (dict, list, tuple)) or len(output) > _MOST_PARTS:
        yield name, output
        return
    parts = output.items() if isinstance(output, dict) else enumerate(output)
    for place, part in parts:
        yield from _leaves(part, f"{name}/{place}")


def clock_p_value(bursts: Sequence[Sequence[bytes]], entropy: tuple[int, ...]) -> float:
    """P-value of "first answers are no more alike within bursts than between".

    A permutation test whose statistic is the number of equal pairs within bursts; with random
    shuffles, which follow from `entropy`, it is exact (Besag and Clifford, 1989).
    """
    values, labels = np.unique([v.hex() for burst in bursts for v in burst], return_inverse=True)
    sizes = [len(burst) for burst in bursts]
    found = _alike(labels[None, :], sizes, len(values))[0]
    rng = np.random.default_rng(entropy)
    shuffled = rng.permuted(np.tile(labels, (_SHUFFLES, 1)), axis=1)
    as_alike = np.count_nonzero(_alike(shuffled, sizes, len(values)) >= found)
    return float((1 + as_alike) / (1 + _SHUFFLES))


def _alike(labels: NDArray[Any], sizes: Sequence[int], values: int) -> NDArray[np.int64]:
    """Equal pairs within bursts, for each row of labels."""
    pairs = np.zeros(len(labels), np.int64)
    for burst in np.split(labels, np.cumsum(sizes)[:-1], axis=1):
        ordered = np.sort(burst, axis=1)
        for apart in range(1, burst.shape[1]):
            pairs += np.count_nonzero(ordered[:, apart:] == ordered[:, :-apart], axis=1)
    return pairs


def _digest(answers: list[Any]) -> bytes:
    """Equal for equal answers."""
    return pickle.dumps(pickle.loads(pickle.dumps(answers)))

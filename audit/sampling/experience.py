"""What drawing from one black box has shown, which says how it is drawn from henceforth."""

from __future__ import annotations

from dataclasses import dataclass, field

from audit.blackbox.interface import BlackBox
from audit.blackbox.state import Watch
from audit.outcomes.failed_run import FailedRun
from audit.sampling.failure_rate import FailureRate
from audit.sampling.runs import Runs
from audit.sampling.source import Source
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Misaligned, Trace


@dataclass(slots=True)
class Experience:
    """What is known of one black box, from draws made here and in other processes.

    Attributes:
        box: the black box.
        seed: the audit's seed.
        coupled: whether both sides still share their randomness.
        turns: whether single runs on both sides take turns. Where they do not, all
            on one side come first, which shows best what runs keep from each other.
        singly: stages and pairs on which a call for many outputs has failed.
        samples: runs so far.
        runs: what they showed.
        watch: sees whether the black box changes with a call.
        stateful: whether it was seen to.
        rate: how failures were spread over the audit.
    """

    box: BlackBox
    seed: int
    coupled: bool
    turns: bool = True
    singly: set[tuple[Stage, int]] = field(default_factory=set)
    samples: int = 0
    runs: Runs = field(default_factory=Runs, repr=False)
    watch: Watch = field(default_factory=Watch, repr=False)
    stateful: bool = False
    rate: FailureRate = field(default_factory=FailureRate, repr=False)

    def adopt(self, trace: Trace) -> None:
        """Take over what drawing a batch showed.

        Raises:
            Misaligned: the batch failed.
            BlackBoxError: it could not be drawn or read at all.
        """
        self._add(trace.samples, trace.failed, trace.first)
        self.runs.consumed |= trace.consumed
        self.coupled = self.coupled and trace.coupled
        self.singly |= trace.singly
        self.stateful |= trace.stateful
        self.runs.told_time |= trace.told_time
        if trace.error is not None:
            raise trace.error
        if trace.failure is not None:
            raise Misaligned(trace.failure, trace.address)

    def join(self, other: Experience) -> None:
        """Count the runs that another sampler has made for the same audit."""
        self._add(other.samples, other.runs.lost, other.runs.first)
        self.runs.told_time |= other.runs.told_time

    def _add(self, samples: int, failed: tuple[int, int], first: FailedRun | None) -> None:
        self.runs.add(failed, None if first is None else first.after(self.samples))
        self.samples += samples

    def note(self, left: Source, right: Source, size: int, failed: tuple[int, int]) -> None:
        """Note how many of so many runs on each dataset gave no value."""
        for source, lost in zip((left, right), failed, strict=True):
            self.rate.add(source.data, size, lost)

    @property
    def first(self) -> FailedRun | None:
        """The first failed run so far."""
        return self.runs.first

    @property
    def shares_randomness(self) -> bool:
        """Whether coupled draws really had common randomness."""
        ignored = getattr(self.box, "ignores_seed", False)
        return self.coupled and self.runs.consumed and not ignored

    @property
    def travels(self) -> bool:
        """Whether the black box may be called in other processes, as far as was seen."""
        return self.watch.settled and self.watch.bound == "" and not self.stateful

    @property
    def lasting(self) -> bool:
        """Whether calls may depend on each other through what the black box keeps between them."""
        return self.stateful or bool(getattr(self.box, "lives", False))

    def many_at(self, address: Address) -> bool:
        """Whether one call gives many outputs there."""
        return self.box.many and (address.stage, address.pair) not in self.singly

    def as_for(self, stage: Stage, pair: int) -> None:
        """Ask for outputs at that stage as they are asked for to bet on this pair."""
        if (Stage.BET, pair) in self.singly:
            self.singly.add((stage, pair))

    def many_on(self, pair: int) -> bool:
        """Whether calls for many outputs were bet on for this pair."""
        return self.many_at(Address(Stage.BET, pair, 0))

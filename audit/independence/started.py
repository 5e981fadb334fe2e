"""Fresh instances of programs: the start of a program is a life."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
from numpy.random import SeedSequence

from audit.blackbox.interface import BlackBox, RunTimeout
from audit.blackbox.isolation.process import ExitCode, OutputLimit
from audit.blackbox.isolation.serving import Ended
from audit.blackbox.json_exchange import NoAnswer
from audit.errors import AuditError
from audit.independence.life import Answered, Ending, Life, Question, Sightings
from audit.independence.missing_outcome import Missing, Record, answered
from audit.independence.preliminary_sample import PreliminarySample
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.outcomes.leaves import Failure

_CRASHES = (ExitCode, Ended, OutputLimit, NoAnswer)
"""Ends of a program that stays, after which its instance is gone."""


class StartedInstances:
    """Lives of a program; a context manager with the methods of `Instances`.

    A program that stays is started anew for each life. One that is started for every run is a
    life with one question; for several questions it is started as often.

    Attributes:
        assumptions: none.
    """

    assumptions: tuple[str, ...] = ()

    def __init__(self, box: BlackBox, datasets: Sequence[Any], workers: int = 1) -> None:
        """Start nothing yet.

        Args:
            box: the black box.
            datasets: the first ones.
            workers: runs at the same time of a program that is started for every run.
        """
        self._box, self._restart = box, getattr(box, "restart", None)
        self._datasets = list(datasets)
        self._bound = [box.bind(data) for data in datasets]
        self._pool = ThreadPoolExecutor(1 if self._restart else workers)
        self._sample: PreliminarySample | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_dataset(self, data: Any) -> int:
        """Add a dataset; its index in questions."""
        self._bound.append(self._box.bind(data))
        self._datasets.append(data)
        return len(self._datasets) - 1

    def answered(self, lives: Sequence[Life]) -> list[Answered]:
        """See `Instances.answered`."""
        if self._sample is not None:
            self._sample.advance()
        return self._lived(lives)

    def preliminary(
        self, questions: tuple[Question, ...], entropy: tuple[int, ...]
    ) -> PreliminarySample:
        """See `Instances.preliminary`; nothing is seen of what a program does outside."""
        self._sample = PreliminarySample(self._lived, None, Sightings, questions, entropy)
        return self._sample

    def close(self) -> None:
        """End the program."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        if self._restart is not None:
            self._restart()

    def _lived(self, lives: Sequence[Life]) -> list[Answered]:
        return list(self._pool.map(self._live, lives))

    def _live(self, life: Life) -> Answered:
        if self._restart is not None:
            self._restart()
        record, reason, started = Record(), Missing.MISSING, time.perf_counter()
        rng = np.random.default_rng(SeedSequence(life.entropy))
        for index, size in life.questions:
            try:
                output = self._bound[index].draw(rng, size)
            except AuditError:
                raise
            except Exception as error:
                self._describe(error, record, index)
                if self._restart is not None and isinstance(error, (RunTimeout, *_CRASHES)):
                    reason = Missing.TIMEOUT if isinstance(error, RunTimeout) else Missing.CRASH
                    break
                output = failure_of(error)
            one = self._box.many and size == 1 and not isinstance(output, Failure)
            record.outputs.append(output[0] if one else output)
        seconds = time.perf_counter() - started
        record.ending = Ending(seconds)
        return answered(life, record, reason, seconds, self._datasets)

    def _describe(self, error: Exception, record: Record, index: int) -> None:
        """Describe the first failure of a life for people."""
        if record.failure is None:
            records = getattr(self._box, "records", None)
            call = len(record.outputs) + 1
            record.failure = FailedRun.of(error, self._datasets[index], call, records)

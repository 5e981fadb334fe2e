"""What came of one audit of a right mechanism, and how many of many went wrong."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from statsmodels.stats.proportion import proportion_confint

import audit
from audit.blackbox.python import PythonBlackBox
from audit.claims import claim_from
from tests.calibration.dependent.every import MODULE_OF
from tests.calibration.kind import Kind

_ROOT = Path(__file__).parents[2]
_ROUNDING = 1e-9
"""Relative; truths are computed in floating point."""


WAYS = ONE, TWO, RESUMED = "one worker", "two workers", "killed and resumed"
"""How audits by fresh instances are made, in turns."""
_KILLED_WITHIN = 4.0
"""Seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One audit of a right mechanism.

    Attributes:
        kind: its name.
        way: one of `WAYS`.
        alpha: the level.
        verdict: violation would be a false alarm.
        log_evalue: the largest wealth that the bets reached.
        levels: lower bounds by name.
        above: names of lower bounds that exceed the truth.
        reason: of an inconclusive audit.
    """

    kind: str
    way: str
    alpha: float
    verdict: str
    log_evalue: float
    levels: dict[str, float]
    above: tuple[str, ...]
    reason: str


_MODULE = """\
import sys
import types
sys.path.append({root!r})
kind = sys.modules["tests.calibration.kind"] = types.ModuleType("kind")
kind.Kind, kind.always = types.SimpleNamespace, lambda release: lambda number: release
from {module} import KINDS
box = next(kind for kind in KINDS if kind.name == {name!r}).make({number})
"""
"""A file that makes a kind's black box anew whenever it is read.

It reads no other kinds, and has something short in place of `Kind`: each instance would make that
class anew, which takes a quarter of all time.
"""


@contextmanager
def _temporary_files(folder: str) -> Iterator[None]:
    """What instances and programs keep in temporary files is in a folder that all of them share."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"], tempfile.tempdir = folder, None
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
        tempfile.tempdir = None


def audited(kind: Kind, number: int, alpha: float, way: str = ONE) -> Outcome:
    """One audit that spends its whole budget, also if the claim seems to be refuted.

    The black box of dependent kinds is made in a file that every fresh instance reads.
    """
    given: dict[str, Any] = {
        "claim": claim_from(**kind.claim),
        "relation": "declared",
        "data": [1.0],
        "neighbors": [[0.0]],
        "max_samples": kind.samples,
        "timeout": kind.timeout,
        "alpha": alpha,
        "seed": number,
        "until": "budget",
        "workers": 2 if way == TWO else 1,
        "assume": kind.assume,
        "name": kind.name,
    }
    with TemporaryDirectory() as folder, _temporary_files(folder):
        if kind.questions is not None:
            result = audit.session(kind.make(number), questions=kind.questions, **given)
        elif kind.name in MODULE_OF:
            box = _addressed(kind, number, Path(folder))
            if way == RESUMED:
                given["store"] = Path(folder, "store")
                _begin_and_kill(lambda: audit.run(box, **given), number)
            result = audit.run(box, **given)
        else:
            result = audit.run(kind.make(number), **given)
    levels = {name: result.levels[name] for name in kind.truth}
    return Outcome(
        kind=kind.name,
        way=way,
        alpha=alpha,
        verdict=str(result.verdict),
        log_evalue=result.log_evalue,
        levels=levels,
        above=tuple(n for n, truth in kind.truth.items() if levels[n] > truth * (1 + _ROUNDING)),
        reason=result.reason,
    )


def _begin_and_kill(begun: Callable[[], object], number: int) -> None:
    """Begin an audit in a process of its own, which is killed at a time that its number says."""
    process = os.fork()
    if process == 0:
        begun()
        os._exit(0)
    time.sleep(random.Random(number).uniform(0.5, _KILLED_WITHIN))
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _addressed(kind: Kind, number: int, folder: Path) -> PythonBlackBox:
    file = folder / "kind.py"
    module = MODULE_OF[kind.name]
    text = _MODULE.format(root=str(_ROOT), module=module, name=kind.name, number=number)
    file.write_text(text, encoding="utf-8")
    return PythonBlackBox.at(f"{file}:box", timeout=kind.timeout)


@dataclass(frozen=True, slots=True)
class Tally:
    """Audits, false alarms, audits with a bound above the truth, audits without an answer."""

    audits: int
    alarms: int
    above: int
    undecided: int

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Tally:
        """Count them."""
        found = list(outcomes)
        return cls(
            len(found),
            sum(o.verdict == "violation" for o in found),
            sum(bool(o.above) for o in found),
            sum(o.verdict == "inconclusive" for o in found),
        )


def interval(count: int, total: int) -> str:
    """Rate and exact 95% interval (Clopper-Pearson) in words."""
    if not total:
        return "– | –"
    low, high = _ends(count, total)
    return f"{count / total:.4f} | {low:.4f} to {high:.4f}"


def _ends(count: int, total: int) -> tuple[float, float]:
    ends: Any = proportion_confint(count, total, 0.05, method="beta")
    return float(ends[0]), float(ends[1])

"""Audits of a target over time: levels, wealth that goes on, and what ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.errors import InputError, StoreError
from audit.sampling.ledger import Ledger
from audit.sampling.ledger_entry import Ended, entry_in
from audit.verdict.result import AuditResult

RUNS = 4000


class Noisy:
    """A noisy sum of some scale."""

    name = "sum"

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def release(self, data: Any, rng: Generator, size: int) -> Any:
        return data.sum() + rng.laplace(0.0, self.scale, size)


def audited(path: Path, mechanism: Any, **given: Any) -> AuditResult:
    usual: dict[str, Any] = {
        "data": [1.0, 0.0],
        "neighbors": [[0.0]],
        "search": False,
        "until": "budget",
        "max_samples": RUNS,
    }
    return audit.run(mechanism, epsilon=1.0, name="sum", ledger=path, **usual | given)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audits.jsonl"


def alone(result: AuditResult) -> AuditResult:
    """The result without what a ledger adds."""
    return replace(result, standing=None, gained=None, seconds=None, finished="")


def places(*results: AuditResult) -> list[tuple[int, int]]:
    return [(r.standing.audit, r.standing.build) for r in results if r.standing is not None]


@pytest.mark.slow
def test_what_is_unchanged_goes_on_with_the_same_wealth(path: Path, tmp_path: Path) -> None:
    first, second = audited(path, Noisy()), audited(path, Noisy())
    assert places(first, second) == [(1, 1), (1, 2)]
    assert first.alpha == second.alpha == 0.00025
    assert second.samples > 1.5 * first.samples
    # As one audit that was given a larger budget later.
    given: dict[str, Any] = {"alpha": 0.00025, "seed": first.seed, "store": tmp_path / "s.db"}
    for builds, with_ledger in ((1, first), (2, second)):
        runs = builds * RUNS
        without = audited(None, Noisy(), max_samples=runs, **given)  # type: ignore[arg-type]
        assert alone(with_ledger) == alone(without)


@pytest.mark.slow
def test_what_is_changed_starts_with_a_smaller_level_and_another_seed(path: Path) -> None:
    kept = [audited(path, Noisy(scale)) for scale in (1.0, 1.5, 2.0)]
    assert places(*kept) == [(1, 1), (2, 1), (3, 1)]
    assert [r.alpha for r in kept] == pytest.approx([0.001 / 4, 0.001 / 12, 0.001 / 24])
    assert len({r.seed for r in kept}) == 3
    assert places(audited(path, Noisy(2.0), data=[2.0, 0.0])) == [(4, 1)]
    assert len(list(path.with_name("audits.jsonl.batches").iterdir())) == 1


@pytest.mark.slow
def test_a_bug_is_found_and_stays_found(path: Path) -> None:
    assert audited(path, Noisy()).verdict == "not-refuted"
    found = [audited(path, Noisy(0.4)) for _ in range(2)]
    assert [r.verdict for r in found] == ["violation", "violation"]
    assert places(*found) == [(2, 1), (2, 2)]


@pytest.mark.slow
def test_a_small_bug_is_found_by_going_on(path: Path) -> None:
    given: dict[str, Any] = {"max_samples": 500, "until": "violation"}
    found = []
    for _ in range(12):
        found.append(audited(path, Noisy(0.8), **given).verdict)
        if found[-1] == "violation":
            break
    assert found[0] != "violation" and found[-1] == "violation"


@pytest.mark.slow
def test_without_its_batches_an_audit_starts_afresh(path: Path) -> None:
    audited(path, Noisy())
    for file in path.with_name("audits.jsonl.batches").iterdir():
        file.unlink()
    assert places(audited(path, Noisy())) == [(2, 1)]


@pytest.mark.slow
def test_a_lost_ledger_starts_anew_whatever_batches_are_left(path: Path) -> None:
    audited(path, Noisy())
    first = audited(path, Noisy())
    path.unlink()
    again = audited(path, Noisy())
    assert places(first, again) == [(1, 2), (1, 1)]
    assert again.samples < first.samples


@pytest.mark.slow
def test_time_limits_keep_nothing(path: Path) -> None:
    given: dict[str, Any] = {"max_seconds": 60.0}
    assert places(audited(path, Noisy(), **given)) == [(1, 1)]
    assert places(audited(path, Noisy(), **given)) == [(2, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"alpha": 0.01}, "at alpha 0.001, not 0.01"),
        ({"null": True}, "leave --ledger out"),
        ({"store": "s.db"}, "leave --store out"),
    ],
)
def test_what_does_not_go_with_a_ledger_is_refused(
    path: Path, given: dict[str, Any], why: str
) -> None:
    audited(path, Noisy())
    before = path.read_bytes()
    with pytest.raises(InputError, match=why):
        audited(path, Noisy(), **given)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_an_audit_that_fails_has_spent_its_level(path: Path) -> None:
    def unreadable(data: Any, rng: Generator) -> object:
        return object()

    with pytest.raises(audit.errors.BlackBoxError):
        audited(path, unreadable)
    assert places(audited(path, Noisy())) == [(2, 1)]


KILLED = """
import os, sys
from pathlib import Path
import audit
# Counted on the disk: a mechanism that kept count by itself would change with every call.
counter = os.open(sys.argv[1] + ".calls", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
def slow(data, rng):
    os.write(counter, b"x")
    if os.fstat(counter).st_size == int(sys.argv[2]):
        os.kill(os.getpid(), 9)
    return float(data.sum() + rng.laplace())
result = audit.run(slow, epsilon=1.0, data=[1.0, 0.0], neighbors=[[0.0]], search=False,
    max_samples=2000, until="budget", ledger=sys.argv[1], assume=("independent-calls",))
print(result.standing.audit, result.standing.build, result.alpha, result.samples)
"""


def _killed_at(path: Path, call: int) -> subprocess.CompletedProcess[str]:
    script = path.with_name("killed.py")
    script.write_text(KILLED)
    return subprocess.run(
        [sys.executable, str(script), str(path), str(call)], capture_output=True, text=True
    )


@pytest.mark.slow
def test_kill_9_loses_no_more_than_what_was_not_kept(path: Path) -> None:
    assert _killed_at(path, 900).returncode == -signal.SIGKILL
    lines = [entry_in(line) for line in path.read_text().splitlines()]
    assert len(lines) == 1 and not isinstance(lines[0], Ended)
    again = _killed_at(path, -1)
    assert again.returncode == 0, again.stderr
    # The same level and the same budget: the audit is taken up where it was.
    assert again.stdout.split()[:3] == ["1", "1", "0.00025"]
    assert 0 < int(again.stdout.split()[3]) <= 2000


@pytest.mark.slow
def test_kill_9_without_batches_loses_the_level_alone(path: Path) -> None:
    assert _killed_at(path, 900).returncode == -signal.SIGKILL
    for file in path.with_name("audits.jsonl.batches").iterdir():
        file.unlink()
    found = _killed_at(path, -1).stdout.split()
    assert found[0] == "2" and float(found[2]) == pytest.approx(0.001 / 12)


@pytest.mark.slow
def test_damaged_batches_are_told(path: Path) -> None:
    audited(path, Noisy())
    (file,) = path.with_name("audits.jsonl.batches").iterdir()
    file.write_bytes(b"x" * 4096)
    with pytest.raises(StoreError, match="cannot be used"):
        audited(path, Noisy())


def test_levels_that_examples_share_are_spent_once(path: Path) -> None:
    from audit.case import Settings

    ledger = Ledger(path, "test: sum, examples")
    entered = [ledger.reserved(Settings(alpha=0.01)) for _ in range(2)]
    assert [one.entry.level for one in entered] == pytest.approx([0.005, 0.01 / 6])
    assert [one.standing.audit for one in entered] == [1, 2]

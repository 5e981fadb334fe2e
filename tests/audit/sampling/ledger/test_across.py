"""Audits of many versions of a target, whose wealth adds up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.betting.bettor import Bettor
from audit.sampling.ledger_entry import Ended, Together, entry_in
from audit.verdict.evidence import Evidence
from audit.verdict.result import AuditResult

GIVEN: dict[str, Any] = {"data": [1.0, 0.0], "neighbors": [[0.0]], "search": False, "name": "sum"}


class Version:
    """A noisy sum; no two versions are the same code."""

    name = "sum"

    def __init__(self, number: int, scale: float) -> None:
        self.number, self.scale = number, scale

    def release(self, data: Any, rng: Generator, size: int) -> Any:
        return data.sum() + rng.laplace(0.0, self.scale, size)


class OneByOne(Version):
    """The same, one output a call."""

    def release(self, data: Any, rng: Generator) -> float:  # type: ignore[override]
        return float(data.sum() + rng.laplace(0.0, self.scale))


class Silent(Version):
    """Says nothing about its data."""

    def release(self, data: Any, rng: Generator, size: int) -> Any:
        return np.zeros(size)


class Dying(Version):
    """Answers some hundreds of calls, and then none."""

    def __init__(self, number: int, scale: float) -> None:
        super().__init__(number, scale)
        self.left = 500

    def release(self, data: Any, rng: Generator, size: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise PermissionError("the budget is spent")
        return super().release(data, rng, size)


def audited(path: Path, version: Version, runs: int = 6000, **given: Any) -> AuditResult:
    usual: dict[str, Any] = {"max_samples": runs, "alpha": 0.05, "epsilon": 1.0}
    return audit.run(version, ledger=path, **GIVEN | usual | given)


def together(result: AuditResult) -> Together:
    assert result.standing is not None and result.standing.together is not None
    return result.standing.together


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audits.jsonl"


def first_accused(path: Path, kind: type[Version], scale: float, most: int) -> AuditResult | None:
    for number in range(most):
        result = audited(path, kind(number, scale), runs=4000, until="violation")
        if result.by_versions is not None:
            return result
    return None


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Version, OneByOne])
def test_an_excess_that_no_version_shows_is_found_over_versions(
    path: Path, kind: type[Version]
) -> None:
    found = first_accused(path, kind, 0.85, 16)
    assert found is not None and found.verdict == "violation" and found.witness is None
    told = together(found)
    assert told.accused and told.level == 0.025 and told.builds > 1
    assert told.log_wealth >= -np.log(told.level)
    last = [json.loads(line) for line in path.read_text().splitlines()][-1]
    assert last["verdict"] == "violation" and last["gained"] == told.gained
    # It is read back as it was, and told in every format.
    stored = path.with_name("result.json")
    stored.write_text(json.dumps(found.to_json()))
    back = audit.read_result(stored)
    assert back.to_json() == found.to_json()
    sentence = f"some version of sum since audit {told.since} is not ε = 1"
    for text in (back.to_markdown(), back.to_html()):
        assert sentence in text
    # A changed version starts afresh: what was told need not be told of it.
    later = audited(path, kind(99, 1.2))
    assert later.verdict != "violation" and not together(later).accused


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Version, OneByOne])
def test_versions_that_keep_the_claim_are_not_accused(path: Path, kind: type[Version]) -> None:
    assert first_accused(path, kind, 1.0, 8) is None
    assert sum(isinstance(entry_in(line), Ended) for line in path.read_text().splitlines()) == 8


@pytest.mark.slow
def test_an_audit_without_promising_bets_keeps_the_wealth(path: Path) -> None:
    first, second = (audited(path, Silent(n, 1.0), runs=1000) for n in range(2))
    for result in (first, second):
        assert together(result).gained == 0.0
        assert together(result).log_wealth == pytest.approx(0.0)
    assert together(second).builds == 2
    assert together(second).runs == first.samples + second.samples


def without(ledger: AuditResult, runs: int, **given: Any) -> AuditResult:
    """The same audit without its ledger."""
    return audit.run(
        Version(0, 1.0), **GIVEN, epsilon=1.0, alpha=ledger.alpha, seed=ledger.seed,
        max_samples=runs, until="budget", **given,
    )  # fmt: skip


@pytest.mark.slow
def test_a_build_adds_its_final_wealth_and_takes_no_runs_for_it(path: Path) -> None:
    found = audited(path, Version(0, 1.0), runs=4000, until="budget")
    assert found.samples == sum(found.effort.values()) <= 4000
    alone = without(found, 4000)
    assert alone.effort == found.effort
    assert together(found).gained == alone.gained != 0.0


@pytest.mark.slow
def test_a_continued_build_adds_what_it_changed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Factors of both builds together are the final wealth."""
    plain, ends = Evidence.of, list[float]()

    def noted(bettor: Bettor, gained: float) -> Evidence:
        ends.append(bettor.claim.last)
        return plain(bettor, gained)

    monkeypatch.setattr(Evidence, "of", noted)
    first, second = (audited(path, Version(0, 1.0), runs=2000, until="budget") for _ in range(2))
    assert first.standing is not None and second.standing is not None
    assert (first.standing.build, second.standing.build) == (1, 2)
    gained = [together(result).gained for result in (first, second)]
    assert gained[0] == ends[0] != 0.0
    assert gained[1] == pytest.approx(ends[1] - ends[0]) != 0.0


@pytest.mark.slow
def test_a_build_is_audited_at_its_own_level(path: Path) -> None:
    """Half of α is for single versions, and half of that for the first."""
    found = [audited(path, Silent(n, 1.0), runs=200).alpha for n in range(2)]
    assert found == pytest.approx([0.05 / 4, 0.05 / 12])


@pytest.mark.slow
def test_what_may_not_be_stated_forfeits(path: Path) -> None:
    told = together(audited(path, Dying(0, 1.0), runs=3000))
    assert told.gained is None and told.log_wealth < 0.0 and not told.accused


@pytest.mark.slow
def test_a_build_that_never_ended_counts_as_lost(path: Path) -> None:
    def unreadable(data: Any, rng: Generator) -> object:
        return object()

    with pytest.raises(audit.errors.BlackBoxError):
        audited(path, unreadable)  # type: ignore[arg-type]
    found = together(audited(path, Version(0, 3.0), runs=3000))
    assert found.log_wealth < -0.1 and found.since == 2

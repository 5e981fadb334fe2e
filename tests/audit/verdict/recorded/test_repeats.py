"""Files that hold one run again and again are no evidence; independent draws are not doubted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.claims import PureDP
from audit.verdict.recorded.doubts import codes_of, repeating, repeats_after
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.run import samples
from audit.verdict.result import AuditResult, Verdict

Drawn = Callable[[np.random.Generator, int], Any]

LAWS: dict[str, Drawn] = {
    "laplace": lambda rng, size: rng.laplace(size=size),
    "rounded": lambda rng, size: rng.laplace(size=size).round(),
    "responses": lambda rng, size: rng.random(size) < 0.3,
    "one in fifty": lambda rng, size: rng.random(size) < 0.02,
    "vectors": lambda rng, size: rng.laplace(size=(size, 3)),
    "constant": lambda rng, size: np.zeros(size),
}


def recording(outputs: Any) -> Recording:
    return Recording("D", "D.txt", outputs)


def run_again(law: Drawn, lines: int, times: int, seed: int) -> Recording:
    held = law(np.random.default_rng(seed), lines)
    return recording(np.concatenate([held] * times))


@pytest.mark.parametrize("law", ["laplace", "rounded", "responses", "vectors"])
@pytest.mark.parametrize(("lines", "times"), [(400, 10), (800, 5), (2000, 2), (401, 7)])
def test_one_run_again_and_again_is_seen(law: str, lines: int, times: int) -> None:
    for seed in range(4):
        held = run_again(LAWS[law], lines, times, seed)
        ((found, distance),) = repeating([held], 0.001)
        assert found is held
        assert distance % lines == 0


@pytest.mark.parametrize("law", LAWS)
def test_independent_draws_are_doubted_no_more_often_than_the_level_says(law: str) -> None:
    """Exact: of 400 files, each doubted with chance 0.05 at most, as the wealth's law says."""
    rng, files, alpha = np.random.default_rng(0), 400, 0.05
    held = [codes_of(recording(LAWS[law](rng, 300)).part(0, 300).table()) for _ in range(files)]
    doubted = sum(repeats_after(codes, alpha) > 0 for codes in held)
    assert doubted <= binom.isf(1e-9, files, alpha)


@pytest.mark.parametrize("law", LAWS)
def test_independent_draws_are_not_doubted(law: str) -> None:
    rng = np.random.default_rng(1)
    assert not repeating([recording(LAWS[law](rng, 4_000)) for _ in range(8)], 0.001)


@pytest.mark.parametrize("size", range(1, 12))
def test_few_lines_are_no_reason_for_doubt(size: int) -> None:
    assert not repeating([recording(np.arange(size) % 3.0)], 0.05)


def test_all_recordings_share_the_level() -> None:
    """Of 16 coins all are heads, which wins 1.5 ** 16 = 657."""
    held = run_again(LAWS["laplace"], 64, 2, 0)
    assert [lines for _, lines in repeating([held], 1 / 650)] == [64]
    assert not repeating([held, recording(np.zeros(128))], 1 / 650)


def audited(tmp_path: Path, times: int) -> AuditResult:
    """Exactly private at the claim, one run of 4,000 / times lines with one seed for all."""
    rng, paths = np.random.default_rng(3), []
    for shift, name in enumerate(("D.txt", "D1.txt")):
        path = tmp_path / name
        np.savetxt(path, np.tile(shift + rng.laplace(size=4_000 // times), times), fmt="%.6f")
        paths.append(path)
    return samples(paths, PureDP(1.0))


@pytest.mark.slow
def test_files_of_one_run_are_no_evidence(tmp_path: Path) -> None:
    result = audited(tmp_path, 10)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "D.txt repeat after 400 lines, of" in result.reason
    assert "D1.txt repeat after 400 lines: the same run was recorded several times" in result.reason
    assert set(result.levels.values()) == {0.0}


@pytest.mark.slow
def test_files_of_runs_with_seeds_of_their_own_are(tmp_path: Path) -> None:
    assert audited(tmp_path, 1).verdict is Verdict.NOT_REFUTED

"""Recorded outputs: the classic table, and a verdict from exact intervals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from scipy.stats import binom

from audit.claim import ApproxDP, Claim, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from audit.errors import InputError
from audit.relation import Relation
from audit.report.markdown import render_markdown
from audit.report.restore import restore
from audit.report.text import render_text
from audit.verdict.recorded.run import audit_samples
from audit.verdict.result import AuditResult, Verdict

SCHEMA = json.loads((Path(__file__).parents[3] / "result.schema.json").read_text())
EDGES = [42.73, 42.752, 42.774, 42.796, 42.818, 42.84]
ORIGINAL = {
    "D": (17, 179, 721, 80, 3),
    "D1": (18, 247, 644, 88, 3),
    "D2": (20, 155, 740, 79, 6),
    "D3": (15, 181, 717, 75, 12),
}
"""Counts of a thousand noisy averages on the Adult ages and on three neighbors, in five bins."""


def wrote(folder: Path, name: str, values: object) -> Path:
    path = folder / name
    path.write_text("".join(f"{value}\n" for value in np.asarray(values)))
    return path


@pytest.fixture
def original(tmp_path: Path) -> list[Path]:
    """Files with those counts, whose common range is that of the original."""
    paths = []
    for name, counts in ORIGINAL.items():
        middles = np.repeat((np.array(EDGES[:-1]) + EDGES[1:]) / 2, counts)
        if name == "D":
            middles[0] = EDGES[0]
        if name == "D3":
            middles[-1] = EDGES[-1]
        paths.append(wrote(tmp_path, f"{name}.txt", middles))
    return paths


def test_five_bins_reproduce_the_original_table(original: list[Path]) -> None:
    result = audit_samples(original, PureDP(0.5), bins=5)
    first, _, _, pooled = result.pairs
    assert [pair.name for pair in result.pairs] == ["D1", "D2", "D3", "pooled"]
    assert [b.low for b in first.bins] == pytest.approx(EDGES[:-1])
    assert [b.high for b in first.bins] == pytest.approx(EDGES[1:])
    assert [b.p.estimate for b in first.bins] == [0.017, 0.179, 0.721, 0.08, 0.003]
    assert [b.ratio.estimate for b in first.bins] == pytest.approx(
        [0.944444, 0.724696, 1.119565, 0.909091, 1.0], abs=1e-6
    )
    assert [b.reverse.estimate for b in first.bins] == pytest.approx(
        [18 / 17, 247 / 179, 644 / 721, 88 / 80, 1.0]
    )
    assert [b.q.estimate for b in pooled.bins] == pytest.approx(
        [53 / 3e3, 0.194333, 0.700333, 242 / 3e3, 0.007], abs=1e-6
    )
    assert pooled.draws == (1000, 3000)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.witness is None
    assert result.samples == 4000


def test_the_result_is_one_of_the_schema_and_comes_back(original: list[Path]) -> None:
    result = audit_samples(original, PureDP(0.5), bins=5, command="audit samples")
    document = result.to_json()
    jsonschema.validate(document, SCHEMA)
    assert restore(document).to_json() == document
    assert render_text(result).startswith("NOT REFUTED: 4,000 runs")
    assert "recorded elsewhere" in render_markdown(result)


def geometric(epsilon: float, value: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Counts with two-sided geometric noise that keeps epsilon exactly."""
    success = 1.0 - math.exp(-epsilon)
    return np.asarray(value + rng.geometric(success, draws) - rng.geometric(success, draws))


@pytest.mark.parametrize(
    ("claim", "shift", "verdict"),
    [
        (PureDP(1.0), 1, Verdict.NOT_REFUTED),
        (PureDP(1.0), 3, Verdict.VIOLATION),
        (ApproxDP(1.0, 0.01), 1, Verdict.NOT_REFUTED),
        (ApproxDP(1.0, 0.01), 3, Verdict.VIOLATION),
        (ZeroConcentratedDP(0.5), 1, Verdict.NOT_REFUTED),
        (ZeroConcentratedDP(0.1), 3, Verdict.VIOLATION),
        (RenyiDP(2.0, 1.0), 1, Verdict.NOT_REFUTED),
        (RenyiDP(2.0, 0.2), 3, Verdict.VIOLATION),
        (GaussianDP(1.5), 1, Verdict.NOT_REFUTED),
        (GaussianDP(0.3), 3, Verdict.VIOLATION),
    ],
    ids=str,
)
def test_what_keeps_its_claim_passes_and_what_breaks_it_does_not(
    tmp_path: Path, claim: Claim, shift: int, verdict: Verdict
) -> None:
    rng = np.random.default_rng(3)
    here = wrote(tmp_path, "D.txt", geometric(1.0, 0, 4000, rng))
    there = wrote(tmp_path, "D1.txt", geometric(1.0, shift, 4000, rng))
    result = audit_samples([here, there], claim, bins=9)
    assert result.verdict is verdict
    assert (result.witness is not None) == (verdict is Verdict.VIOLATION)
    assert 0.0 <= result.epsilon_lower <= shift
    jsonschema.validate(result.to_json(), SCHEMA)


def test_a_mechanism_at_its_limit_is_hardly_ever_flagged(tmp_path: Path) -> None:
    """At level 0.5 the alarms among 100 audits stay below what 1e-9 allows for half of them."""
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(100):
        here = wrote(tmp_path, "D.txt", geometric(0.5, 0, 300, rng))
        there = wrote(tmp_path, "D1.txt", geometric(0.5, 1, 300, rng))
        result = audit_samples([here, there], PureDP(0.5), bins=4, alpha=0.5)
        alarms += result.verdict is Verdict.VIOLATION
    assert alarms <= binom.isf(1e-9, 100, 0.5)


def two_points(folder: Path, name: str, ones: int, draws: int) -> Path:
    return wrote(folder, name, np.repeat([1.0, 0.0], [ones, draws - ones]))


def audited(folder: Path, ones: int, others: int, draws: int, claim: Claim) -> AuditResult:
    paths = [two_points(folder, "D.txt", ones, draws), two_points(folder, "D1.txt", others, draws)]
    return audit_samples(paths, claim, bins=2)


def test_the_witness_is_the_clearest_bin_in_its_direction(tmp_path: Path) -> None:
    result = audited(tmp_path, 100, 1900, 2000, PureDP(1.0))
    witness = result.witness
    assert witness is not None
    assert (witness.pair, witness.direction) == ("D1", "D over D1")
    assert witness.event.description == "the output is exactly 0"
    assert (witness.p.estimate, witness.q.estimate) == (0.95, 0.05)
    assert witness.dataset.endswith("D.txt")
    assert witness.slope == pytest.approx(math.e)
    lower = math.log(witness.p.low / witness.q.high)
    assert result.epsilon_lower == pytest.approx(lower)
    assert 1.0 < lower < math.log(19)


def test_epsilon_lower_takes_delta_off(tmp_path: Path) -> None:
    pure = audited(tmp_path, 100, 1900, 2000, PureDP(1.0))
    approximate = audited(tmp_path, 100, 1900, 2000, ApproxDP(1.0, 0.3))
    bin_ = pure.pairs[0].bins[0]
    assert approximate.epsilon_lower == pytest.approx(math.log((bin_.p.low - 0.3) / bin_.q.high))


def test_files_too_short_to_show_anything_are_inconclusive(tmp_path: Path) -> None:
    floor = audited(tmp_path, 10, 0, 1000, PureDP(1.0)).claimed_reach
    below = audited(tmp_path, floor - 1, 0, floor - 1, PureDP(1.0))
    assert below.verdict is Verdict.INCONCLUSIVE
    assert str(floor) in below.reason
    assert below.detectable_epsilon == math.inf
    assert audited(tmp_path, floor, 0, floor, PureDP(1.0)).verdict is Verdict.VIOLATION


@pytest.mark.slow
def test_what_it_says_it_would_have_seen_it_sees(tmp_path: Path) -> None:
    """With a true epsilon at the bound, nine audits in ten refute; the error budget is 1e-9."""
    quiet = audited(tmp_path, 200, 200, 2000, PureDP(0.5))
    detectable = quiet.detectable_epsilon
    assert detectable is not None
    rng = np.random.default_rng(11)
    audits, chance = 100, 0.1 * math.exp(detectable)
    seen = sum(
        audited(
            tmp_path, rng.binomial(2000, chance), rng.binomial(2000, 0.1), 2000, PureDP(0.5)
        ).verdict
        is Verdict.VIOLATION
        for _ in range(audits)
    )
    assert seen >= binom.ppf(1e-9, audits, 0.9)


def test_unequal_lengths_and_left_out_lines_are_told(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_text("1\n2\noops\n3\n" * 100)
    (tmp_path / "D1.txt").write_text("1\n2\n" * 100)
    result = audit_samples([tmp_path / "D.txt", tmp_path / "D1.txt"], PureDP(1.0), bins=3)
    told = " ".join(result.notes)
    assert "unequal numbers of outputs: D.txt 300, D1.txt 200" in told
    assert "line 3 ('oops') and 99 more left out, not a number" in told


def test_outputs_that_are_no_numbers_have_bins_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_text("yes\n" * 300)
    (tmp_path / "D1.txt").write_text("no\n" * 300)
    result = audit_samples([tmp_path / "D.txt", tmp_path / "D1.txt"], PureDP(1.0))
    assert result.verdict is Verdict.VIOLATION
    assert [b.label for b in result.pairs[0].bins] == ["is 'yes'", "is 'no'"]


def test_vectors_are_read_by_their_sum(tmp_path: Path) -> None:
    (tmp_path / "D.csv").write_text("a,b\n" + "1,2\n" * 300)
    (tmp_path / "D1.csv").write_text("a,b\n" + "2,2\n" * 300)
    result = audit_samples([tmp_path / "D.csv", tmp_path / "D1.csv"], PureDP(1.0), bins=2)
    assert result.verdict is Verdict.VIOLATION
    assert any("their sum" in note for note in result.notes)
    column = audit_samples(
        [tmp_path / "D.csv", tmp_path / "D1.csv"], PureDP(1.0), bins=2, column="b"
    )
    assert column.verdict is Verdict.NOT_REFUTED


def test_the_relation_is_what_the_caller_says(original: list[Path]) -> None:
    result = audit_samples(original[:2], PureDP(0.5), relation=Relation.DECLARED)
    assert result.relation is Relation.DECLARED


@pytest.mark.parametrize(
    ("files", "arguments", "expected"),
    [
        (1, {}, "give two files or more"),
        (2, {"null": True}, "give the file of D alone"),
        (2, {"bins": 0}, "bins 0 is not a number from 1 to 100"),
        (2, {"bins": 101}, "bins 101 is not a number from 1 to 100"),
        (2, {"alpha": 0.0}, "alpha 0.0 is not between 0 and 1"),
        (2, {"alpha": math.nan}, "alpha nan is not between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(
    original: list[Path], files: int, arguments: dict[str, float], expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        audit_samples(original[:files], PureDP(0.5), **arguments)  # type: ignore[arg-type]

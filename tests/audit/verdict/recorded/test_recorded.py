"""Recorded outputs: read like any other outputs, judged by one wealth and exact intervals."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy.stats import binom

from audit.betting.power import floor_units
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.errors import ClaimError, InputError
from audit.relation import Relation
from audit.report.loss import statements
from audit.report.markdown import render_markdown
from audit.report.restore import restore
from audit.report.text import render_text
from audit.verdict.recorded.run import samples
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
Rng = np.random.Generator
KEPT = math.e / (1.0 + math.e)
DRAWS = 1200


def wrote(folder: Path, name: str, values: Any) -> Path:
    """A file with a value per line, as JSON where its name says so."""
    path = folder / name
    shown: Callable[[Any], str] = json.dumps if path.suffix == ".jsonl" else str
    held = values.tolist() if isinstance(values, np.ndarray) else values
    path.write_text("".join(f"{shown(value)}\n" for value in held))
    return path


@pytest.fixture
def original(tmp_path: Path) -> list[Path]:
    """Files with those counts in any order; what stands first spans the original's range."""
    rng = np.random.default_rng(1)
    paths = []
    for name, counts in ORIGINAL.items():
        middles = np.repeat((np.array(EDGES[:-1]) + EDGES[1:]) / 2, counts)
        first = [EDGES[0], EDGES[-1], *rng.choice(middles, 140)]
        paths.append(wrote(tmp_path, f"{name}.txt", [*first, *rng.permutation(middles)]))
    return paths


@pytest.mark.slow
def test_five_bins_reproduce_the_original_table(original: list[Path]) -> None:
    result = samples(original, PureDP(0.5), bins=5)
    first, _, _, pooled = result.pairs
    assert [pair.name for pair in result.pairs] == ["D1", "D2", "D3", "pooled"]
    assert [b.low for b in first.bins] == pytest.approx([-math.inf, *EDGES[1:-1]])
    assert [b.high for b in first.bins] == pytest.approx([*EDGES[1:-1], math.inf])
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


def geometric(value: int, draws: int, rng: Rng, epsilon: float = 1.0) -> np.ndarray:
    """Counts with two-sided geometric noise that keeps epsilon exactly."""
    success = 1.0 - math.exp(-epsilon)
    return np.asarray(value + rng.geometric(success, draws) - rng.geometric(success, draws))


def counts(folder: Path, shift: int, draws: int, *more: int, seed: int = 3) -> list[Path]:
    """Files of geometric counts: D at 0, D1 shifted, D2, ... shifted by `more`."""
    rng = np.random.default_rng(seed)
    shifts = (0, shift, *more)
    return [
        wrote(folder, f"D{k or ''}.txt", geometric(s, draws, rng)) for k, s in enumerate(shifts)
    ]


@pytest.mark.slow
def test_the_result_is_one_of_the_schema_and_comes_back(tmp_path: Path) -> None:
    result = samples(counts(tmp_path, 1, 2000), PureDP(1.0), command="audit samples")
    document = result.to_json()
    jsonschema.validate(document, SCHEMA)
    assert restore(document).to_json() == document
    assert render_text(result).startswith("NOT REFUTED  ")
    assert "4,000 recorded outputs, 2,000 independent units, seed" in render_text(result)
    assert "recorded elsewhere" in render_markdown(result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "shift", "verdict"),
    [
        (PureDP(1.0), 1, Verdict.NOT_REFUTED),
        (PureDP(1.0), 3, Verdict.VIOLATION),
        (ApproxDP(1.0, 0.01), 1, Verdict.NOT_REFUTED),
        (ApproxDP(1.0, 0.01), 3, Verdict.VIOLATION),
        (ZCDP(0.5), 1, Verdict.NOT_REFUTED),
        (ZCDP(0.1), 3, Verdict.VIOLATION),
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
    result = samples(counts(tmp_path, shift, 4000), claim, bins=9)
    assert result.verdict is verdict
    assert (result.witness is not None) == (verdict is Verdict.VIOLATION)
    assert (result.log_evalue >= math.log(1000.0)) == (verdict is Verdict.VIOLATION)
    own = {"zcdp": "rho_lower", "gaussian": "mu_lower", "renyi": "renyi_lower"}
    level = result.levels[own.get(claim.kind, "epsilon_lower")]
    assert (level >= claim.level) == (verdict is Verdict.VIOLATION)
    assert 0.0 < result.epsilon_lower <= shift
    jsonschema.validate(result.to_json(), SCHEMA)


def truths(rng: Rng, draws: int, here: bool, chance: float) -> list[bool]:
    """Randomized response: True with this chance on D, False with it on D1."""
    return [bool(u < chance) == here for u in rng.random(draws)]


READINGS: dict[str, tuple[Callable[[Rng, bool, float], Any], float, float]] = {
    "keys": (
        lambda rng, here, chance: [
            {"north" if truth else "south": float(rng.laplace())}
            for truth in truths(rng, DRAWS, here, chance)
        ],
        KEPT,
        1.0,
    ),
    "a shift that sums to nothing": (
        lambda rng, here, scale: (
            here * np.array([1.0, -1.0, 1.0, -1.0]) + rng.laplace(0.0, scale, (DRAWS, 4))
        ),
        4.0,
        1.0,
    ),
    "noise for three or for each": (
        lambda rng, here, shared: (
            here * np.array([1.0, 0.0, 0.0]) + rng.laplace(size=(DRAWS, 1 if shared else 3))
        ),
        0.0,
        1.0,
    ),
    "labels": (
        lambda rng, here, chance: ["yes" if t else "no" for t in truths(rng, DRAWS, here, chance)],
        KEPT,
        0.82,
    ),
    "lengths": (
        lambda rng, here, chance: [
            rng.normal(size=1 + t).tolist() for t in truths(rng, DRAWS, here, chance)
        ],
        KEPT,
        0.82,
    ),
    "errors among numbers": (
        lambda rng, here, chance: [
            "error" if t else float(rng.normal()) for t in truths(rng, DRAWS, here, chance)
        ],
        KEPT,
        0.82,
    ),
    "half the noise": (lambda rng, here, scale: here + rng.laplace(0.0, scale, DRAWS), 1.0, 0.5),
}
"""How D and D1 are drawn, with a parameter that keeps epsilon 1 and one that does not."""


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
def test_every_kind_of_output_is_read(tmp_path: Path, reading: str) -> None:
    draw, right, wrong = READINGS[reading]
    for parameter, verdict in ((right, Verdict.NOT_REFUTED), (wrong, Verdict.VIOLATION)):
        rng = np.random.default_rng(7)
        paths = [
            wrote(tmp_path, f"{name}.jsonl", draw(rng, name == "D", parameter))
            for name in ("D", "D1")
        ]
        result = samples(paths, PureDP(1.0))
        assert result.verdict is verdict
        assert (result.epsilon_lower > 1.0) == (verdict is Verdict.VIOLATION)


@pytest.mark.slow
def test_the_witness_shows_odds_beyond_the_claim(tmp_path: Path) -> None:
    result = samples(counts(tmp_path, 3, 1000), PureDP(1.0))
    witness = result.witness
    assert witness is not None
    assert witness.direction in ("D over D1", "D1 over D")
    left = witness.direction.partition(" ")[0]
    assert witness.dataset == f"recorded in {tmp_path / left}.txt"
    assert witness.slope == pytest.approx(math.e)
    assert witness.p.estimate > witness.slope * witness.q.estimate
    assert witness.separated
    assert 800 < witness.draws < 1000
    shown = " ".join(render_text(result, detail="verbose").split())
    assert f"{witness.draws} later outputs on each dataset" in shown


@pytest.mark.slow
def test_several_neighbors_are_judged_together(tmp_path: Path) -> None:
    result = samples(counts(tmp_path, 1, 1500, -1, 4), PureDP(1.0))
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == "D3"
    assert [pair.name for pair in result.pairs] == ["D1", "D2", "D3", "pooled"]
    right = samples(counts(tmp_path, 1, 1500, -1, 0), PureDP(1.0))
    assert right.verdict is Verdict.NOT_REFUTED


@pytest.mark.slow
def test_what_was_tried_and_could_have_been_seen_is_told(tmp_path: Path) -> None:
    found = [samples(counts(tmp_path, 1, n), PureDP(1.0)) for n in (500, 5000)]
    pairs, events, tables = found[1].tried
    assert pairs == "pairs of outputs to bet with: D1 5,000"
    assert "events in both directions, read from: output" in events
    assert tables.startswith("1 table of ")
    few, many = (result.detectable_epsilon for result in found)
    assert few is not None and many is not None
    assert 1.0 < many < few < 3.0


def test_files_too_short_to_show_anything_are_inconclusive(tmp_path: Path) -> None:
    floor = floor_units(PureDP(1.0), 0.95 * 0.001)
    for draws, verdict in ((floor - 1, Verdict.INCONCLUSIVE), (4 * floor, Verdict.NOT_REFUTED)):
        paths = [wrote(tmp_path, f"{name}.txt", ["a", "b"] * draws) for name in ("D", "D1")]
        for path in paths:
            path.write_text("\n".join(path.read_text().split("\n")[:draws]))
        result = samples(paths, PureDP(1.0))
        assert result.verdict is verdict
        # Longer files leave bets a smaller share of alpha.
        assert (result.floor == floor) == (draws < floor)
        assert (str(floor) in result.reason) == (verdict is Verdict.INCONCLUSIVE)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [40, 60])
def test_files_in_which_nothing_would_be_seen_are_inconclusive(tmp_path: Path, lines: int) -> None:
    result = samples(counts(tmp_path, 1, lines), PureDP(1.0))
    assert (result.verdict, result.detectable_epsilon) == (Verdict.INCONCLUSIVE, math.inf)
    assert "record more of each" in result.reason
    longer = samples(counts(tmp_path, 1, 3_000), PureDP(1.0))
    assert longer.verdict is Verdict.NOT_REFUTED
    assert longer.detectable_epsilon is not None and math.isfinite(longer.detectable_epsilon)


def test_the_claim_and_the_relation_are_stated_as_to_run(tmp_path: Path) -> None:
    paths = counts(tmp_path, 1, 400)
    by_names = samples(paths, epsilon=1, delta=1e-3, relation="substitute")
    assert by_names == samples(paths, ApproxDP(1, 1e-3), relation=Relation.SUBSTITUTE)
    assert by_names.relation is Relation.SUBSTITUTE
    with pytest.raises(ClaimError, match="state no claim; give `epsilon`, or another claim"):
        samples(paths)
    with pytest.raises(ClaimError, match="claim and epsilon state two claims; give one"):
        samples(paths, PureDP(1.0), epsilon=1)
    with pytest.raises(InputError, match="relation 'other' is not known"):
        samples(paths, epsilon=1, relation="other")


def test_one_file_is_no_list_of_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is one file; give a list"):
        samples(str(counts(tmp_path, 1, 40)[0]), PureDP(1.0))
    with pytest.raises(InputError, match=r"is one file; give a list of files, D first"):
        samples("a.txt", "b.txt", epsilon=1)  # type: ignore[arg-type]


def test_a_bound_is_that_of_more_than_the_counterexample(tmp_path: Path) -> None:
    rng = np.random.default_rng(24)
    values = [(name, at + rng.laplace(0.0, 0.5, 1000)) for name, at in (("D", 0.0), ("D1", 1.0))]
    found = samples([wrote(tmp_path, f"{name}.txt", held) for name, held in values], PureDP(1.0))
    assert found.verdict is Verdict.VIOLATION
    shown = " ".join(render_text(found, detail="verbose").split())
    assert "confidence; the largest of all bets, tests of events and tables)" in shown


def test_outputs_in_memory_are_no_files() -> None:
    with pytest.raises(InputError, match=r"array.* is no name of a file; write outputs to files"):
        samples([np.zeros(9), np.ones(9)], epsilon=1)  # type: ignore[list-item]


@pytest.mark.slow
@pytest.mark.parametrize("tenth", [False, True])
def test_what_it_says_it_would_have_seen_it_sees(tmp_path: Path, tenth: bool) -> None:
    """With a true epsilon at the bound, nine audits in ten refute; the error budget is 1e-9."""
    rng = np.random.default_rng(11)

    def response(chance: float, name: str) -> Path:
        return wrote(tmp_path, f"{name}.txt", (rng.random(2000) < chance).astype(int))

    def audited(epsilon: float) -> AuditResult:
        own, other = (0.1, 0.1 * math.exp(-epsilon)) if tenth else (0.1 * math.exp(epsilon), 0.1)
        return samples([response(own, "D"), response(other, "D1")], PureDP(0.5))

    result = audited(0.5)
    detectable = result.detectable_tenth if tenth else result.detectable_epsilon
    assert detectable is not None and 0.5 < detectable < (1.6 if tenth else 1.2)
    audits = 100
    seen = sum(audited(detectable).verdict is Verdict.VIOLATION for _ in range(audits))
    assert seen >= binom.ppf(1e-9, audits, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["sorted", "drifting", "repeated"])
def test_outputs_that_are_no_independent_draws_are_no_evidence(tmp_path: Path, order: str) -> None:
    rng = np.random.default_rng(12)
    paths = []
    for name in ("D", "D1"):
        values = rng.laplace(0.0, 1.0, 2000)
        changed = {
            "sorted": np.sort(values),
            "drifting": values + np.linspace(0.0, 3.0, 2000),
            "repeated": np.repeat(values[:20], 100),
        }
        paths.append(wrote(tmp_path, f"{name}.txt", changed[order]))
    result = samples(paths, PureDP(0.5))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "does not look like the first" in result.reason
    assert set(result.levels.values()) == {0.0}
    assert (result.witness, result.pairs) == (None, ())
    assert "hold together" not in " ".join(result.notes)


def by_class(folder: Path, spread: float) -> list[Path]:
    """Scores of three classes, sorted by class, as training leaves them; spread 1 keeps epsilon 1.

    Every line is a score of a class that is drawn at random, with Laplace noise.
    """
    rng, paths = np.random.default_rng(21), []
    for name, shift in (("D", 1.0), ("D1", 0.0)):
        classes = np.sort(rng.integers(0, 3, 1500))
        scores = 5.0 * classes + shift + rng.laplace(0.0, spread, 1500)
        paths.append(wrote(folder, f"{name}.txt", scores))
    return paths


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "verdict"), [(1.0, Verdict.NOT_REFUTED), (0.5, Verdict.VIOLATION)]
)
def test_scores_sorted_by_class_are_read_in_a_random_order(
    tmp_path: Path, spread: float, verdict: Verdict
) -> None:
    paths = by_class(tmp_path, spread)
    sorted_ones = samples(paths, PureDP(1.0))
    assert sorted_ones.verdict is Verdict.INCONCLUSIVE
    assert "--shuffle SEED" in sorted_ones.reason
    found = samples(paths, PureDP(1.0), shuffle=3)
    assert (found.verdict, found.seed) == (verdict, 3)
    assert found.assumptions == ("independent-lines",)
    assert "random order by seed 3" in found.notes[0]
    assert found == samples(paths, PureDP(1.0), shuffle=3)


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_counter_among_fields_is_named(tmp_path: Path, suffix: str) -> None:
    rng, paths = np.random.default_rng(23), []
    for name, shift in (("D", 1.0), ("D1", 0.0)):
        objects = [{"run": i, "answer": shift + rng.laplace(), "ok": True} for i in range(400)]
        rows = ["run,answer,ok", *(",".join(map(str, one.values())) for one in objects)]
        paths.append(wrote(tmp_path, f"{name}.{suffix}", rows if suffix == "csv" else objects))
    found = samples(paths, PureDP(1.0))
    assert "the difference is in run. If that counts" in found.reason
    assert "with --column answer (in Python column='answer')" in found.reason
    assert samples(paths, PureDP(1.0), column="answer").verdict is Verdict.NOT_REFUTED


def test_shuffling_and_halves_exclude_each_other(tmp_path: Path) -> None:
    paths = by_class(tmp_path, 1.0)
    with pytest.raises(InputError, match="shuffle 3 hides"):
        samples(paths[:1], PureDP(1.0), null=True, shuffle=3)
    with pytest.raises(InputError, match="shuffle -1 is not a whole number"):
        samples(paths, PureDP(1.0), shuffle=-1)


def test_lines_of_json_get_events_and_tables_that_can_be_read(tmp_path: Path) -> None:
    rng, paths = np.random.default_rng(22), []
    for name, share in (("D", 0.5), ("D1", 0.05)):
        rows = [
            {"count": int(rng.integers(0, 9)), **({"city": "Oslo"} if u < share else {})}
            for u in rng.random(1200)
        ]
        paths.append(wrote(tmp_path, f"{name}.jsonl", rows))
    result = samples(paths, PureDP(1.0))
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert "city" in result.witness.event.description
    assert len(result.witness.event.description) < 60
    assert {b.label for b in result.pairs[0].bins} == {"is 'Oslo'", "is missing"}
    assert result.pairs[0].feature == "output['city']"


def test_the_unit_is_a_line(tmp_path: Path) -> None:
    result = samples(counts(tmp_path, 1, 200, 0), PureDP(1.0))
    assert result.units is not None
    assert (result.units.kind, result.units.n, result.units.count) == ("line", 1, 400)
    assert result.assumptions == ("independent-lines",)


@pytest.mark.slow
def test_halves_of_a_file_are_told_apart_only_where_it_changes(tmp_path: Path) -> None:
    rng = np.random.default_rng(13)
    values = rng.laplace(size=2000)
    for held, verdict in (
        (values, Verdict.NOT_REFUTED),
        (np.sort(values), Verdict.VIOLATION),
        (values * np.repeat([1.0, 2.0], 1000), Verdict.VIOLATION),
    ):
        result = samples([wrote(tmp_path, "D.txt", held)], PureDP(3.0), null=True)
        assert (result.verdict, result.null) == (verdict, True)


def test_odd_lines_and_unequal_lengths_are_told(tmp_path: Path) -> None:
    words = ["1\n", "2\n", "oops\n", "3\n"]
    rest = [np.random.default_rng(0).permutation(words * times) for times in (99, 50)]
    (tmp_path / "D.txt").write_text("".join([*words, *rest[0]]))
    (tmp_path / "D1.txt").write_text("".join(["value\n", *rest[1]]))
    result = samples([tmp_path / "D.txt", tmp_path / "D1.txt"], PureDP(1.0), bins=3)
    told = " ".join(result.notes)
    unused = "do not use the last 200 of the 400 outputs in D.txt (D1.txt has 200)"
    assert unused in told
    assert unused in " ".join(render_text(result).split())
    same = samples([tmp_path / "D1.txt"], PureDP(1.0), bins=3, null=True)
    assert "do not use the last" not in " ".join(same.notes)
    assert "line 3 ('oops') and 99 more read as text, not a number" in told
    assert "D1.txt: line 1 ('value') was taken for a header" in told
    assert result.verdict is Verdict.NOT_REFUTED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "shift", "together", "apart"),
    [
        (PureDP(1.0), 1, "the lower bound on ε with all intervals of the tables", []),
        (
            PureDP(1.0),
            4,
            "the verdict with the lower bound on ε with all intervals of the tables",
            ["the interval of P[D]", "the interval of P[D']"],
        ),
        (
            GaussianDP(1.0),
            1,
            "the lower bound on μ with all intervals of the tables",
            ["the lower bound on ε"],
        ),
    ],
)
def test_what_holds_together_and_what_by_itself_is_told(
    tmp_path: Path, claim: Claim, shift: int, together: str, apart: list[str]
) -> None:
    result = samples(counts(tmp_path, shift, 400), claim)
    assert statements(result) == [together, *apart]
    assert any("shares of α: 0.2 to the bets" in note for note in result.notes)
    assert any("0.75 to tests of " in note for note in result.notes)
    assert any("50 of D, 50 of D1" in note for note in result.notes)


def test_outputs_that_are_no_numbers_have_bins_of_their_own(tmp_path: Path) -> None:
    paths = [wrote(tmp_path, "D.txt", ["yes"] * 300), wrote(tmp_path, "D1.txt", ["no"] * 300)]
    result = samples(paths, PureDP(1.0))
    assert result.verdict is Verdict.VIOLATION
    assert [b.label for b in result.pairs[0].bins] == ["is 'yes'", "is 'no'"]


@pytest.mark.slow
def test_rows_are_read_as_a_whole_and_column_by_column(tmp_path: Path) -> None:
    (tmp_path / "D.csv").write_text("a,b\n" + "1,x\n" * 300)
    (tmp_path / "D1.csv").write_text("a,b\n" + "2,x\n" * 300)
    paths = [tmp_path / "D.csv", tmp_path / "D1.csv"]
    result = samples(paths, PureDP(1.0), bins=2)
    assert result.verdict is Verdict.VIOLATION
    assert any("output[0] is a, output[1] is b" in note for note in result.notes)
    column = samples(paths, PureDP(1.0), column="b")
    assert column.verdict is Verdict.NOT_REFUTED


@pytest.mark.slow
def test_one_number_among_texts_changes_no_other_output(tmp_path: Path) -> None:
    """Files of a right mechanism, one of which happens to hold a rare kind of output."""
    rng = np.random.default_rng(14)
    for rare, suffix in (("oops", ".txt"), ("7", ".txt"), ("[1, 2]", ".jsonl"), ("null", ".jsonl")):
        values = [list(map(str, rng.laplace(0.0, 2.0, 500))) for _ in range(2)]
        values[1][300] = rare
        paths = [tmp_path / f"{name}{suffix}" for name in ("D", "D1")]
        for path, lines in zip(paths, values, strict=True):
            path.write_text("\n".join(lines))
        assert samples(paths, PureDP(0.5)).verdict is Verdict.NOT_REFUTED


def test_files_that_do_not_belong_together_are_no_violation(tmp_path: Path) -> None:
    rng = np.random.default_rng(15)
    paths = [
        wrote(tmp_path, "D.jsonl", rng.normal(size=500)),
        wrote(tmp_path, "D1.jsonl", rng.normal(size=(500, 2))),
    ]
    with pytest.raises(InputError, match="do these files belong together"):
        samples(paths, PureDP(1.0))


@pytest.mark.slow
def test_the_relation_is_what_the_caller_says(original: list[Path]) -> None:
    result = samples(original[:2], PureDP(0.5), relation=Relation.DECLARED)
    assert result.relation is Relation.DECLARED


@pytest.mark.parametrize(
    ("files", "arguments", "expected"),
    [
        (1, {}, "give two files or more"),
        (2, {"null": True}, "give the file of D alone"),
        (2, {"bins": 0}, "bins 0 is not a whole number from 1 to 100"),
        (2, {"bins": 101}, "bins 101 is not a whole number from 1 to 100"),
        (2, {"alpha": 0.0}, "alpha 0.0 is not a number between 0 and 1"),
        (2, {"alpha": math.nan}, "alpha nan is not a number between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(
    original: list[Path], files: int, arguments: dict[str, float], expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        samples(original[:files], PureDP(0.5), **arguments)  # type: ignore[arg-type]

"""`audit samples`: files of recorded outputs."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from .conftest import Audit

SCHEMA = json.loads((Path(__file__).parents[3] / "result.schema.json").read_text())


@pytest.fixture
def files(here: Path) -> Path:
    """D and D1 alike, D2 two steps away."""
    rng = np.random.default_rng(7)
    for name, shift in (("D", 0.0), ("D1", 0.0), ("D2", 3.0)):
        np.savetxt(here / f"{name}.txt", rng.laplace(shift, 1.0, 1000))
    return here


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_like_files_are_not_refuted(audit: Audit) -> None:
    run = audit("samples", "D.txt", "D1.txt", "--epsilon", ".5", "--bins", "5")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("NOT REFUTED  ")


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_unlike_files_are_a_violation(audit: Audit) -> None:
    words = ["samples", "D.txt", "D1.txt", "D2.txt", "--epsilon", ".5", "--bins", "5"]
    run = audit(*words, "--format", "json")
    found = json.loads(run.out)
    jsonschema.validate(found, SCHEMA)
    assert run.code == 1
    assert found["witness"]["pair"] == "D2"
    assert found["command"] == "audit samples D.txt D1.txt D2.txt --epsilon .5 --bins 5"
    assert [pair["name"] for pair in found["pairs"]] == ["D1", "D2", "pooled"]
    assert audit(*words, "--fail-on", "never").code == 0


@pytest.mark.usefixtures("files")
def test_too_few_are_inconclusive(audit: Audit, here: Path) -> None:
    (here / "few.txt").write_text("1\n2\n3\n")
    (here / "few1.txt").write_text("1\n2\n3\n")
    run = audit("samples", "few.txt", "few1.txt", "--epsilon", "1")
    assert run.code == 3
    assert "recorded outputs of each" in " ".join(run.out.split())


@pytest.mark.usefixtures("files")
def test_a_file_beside_itself_is_refused(audit: Audit) -> None:
    run = audit("samples", "D.txt", "./D.txt", "--epsilon", "1")
    assert run.code == 2
    assert "./D.txt' is given twice" in run.err


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_halves_of_one_file(audit: Audit, here: Path) -> None:
    assert audit("samples", "D.txt", "--null", "--epsilon", "1").code == 0
    np.savetxt(here / "drift.txt", np.arange(1000.0))
    assert audit("samples", "drift.txt", "--null", "--epsilon", "1", "--bins", "5").code == 1


@pytest.mark.usefixtures("files")
def test_files_that_do_not_belong_together_are_bad_input(audit: Audit, here: Path) -> None:
    np.save(here / "vectors.npy", np.ones((1000, 3)))
    run = audit("samples", "D.txt", "vectors.npy", "--epsilon", "1")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "every output in 'D.txt' is a number and every one in 'vectors.npy' a vector" in run.err


@pytest.mark.usefixtures("files")
def test_sorted_files_are_inconclusive(audit: Audit, here: Path) -> None:
    for name in ("D", "D2"):
        np.savetxt(here / f"sorted-{name}.txt", np.sort(np.loadtxt(here / f"{name}.txt")))
    run = audit("samples", "sorted-D.txt", "sorted-D2.txt", "--epsilon", ".5")
    assert run.code == 3
    assert "does not look like the first" in " ".join(run.out.split())


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_sorted_files_are_read_in_a_random_order(audit: Audit, here: Path) -> None:
    for name in ("D", "D1", "D2"):
        np.savetxt(here / f"sorted-{name}.txt", np.sort(np.loadtxt(here / f"{name}.txt")))
    for other, code in (("D1", 0), ("D2", 1)):
        words = ["sorted-D.txt", f"sorted-{other}.txt", "--epsilon", ".5", "--shuffle", "5"]
        run = audit("samples", *words, "--format", "json")
        found = json.loads(run.out)
        assert (run.code, found["seed"]) == (code, 5)
        assert found["command"].endswith("--shuffle 5")
    run = audit("samples", "sorted-D.txt", "--null", "--epsilon", "1", "--shuffle", "5")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_flags_about_drawing_say_that_they_change_nothing(audit: Audit) -> None:
    words = ["samples", "D.txt", "D1.txt", "--epsilon", "1"]
    run = audit(*words, "--seed", "5", "--max-samples", "10", "--timing", "--workers", "2")
    assert run.err == "".join(
        f"audit: --{name} changes nothing: recorded outputs are not drawn\n"
        for name in ("max-samples", "seed", "workers", "timing")
    )
    assert run.code == 0


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "words", [["--data", "[1]"], ["--neighbor", "[1]"], ["--domain", "bool"], ["--search"]]
)
def test_flags_about_datasets_are_refused(audit: Audit, words: list[str]) -> None:
    run = audit("samples", "D.txt", "D1.txt", "--epsilon", "1", *words)
    assert (run.code, run.out) == (2, "")
    assert f"{words[0]} has no place here" in run.err


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_a_stored_result_is_rendered_again(audit: Audit) -> None:
    words = ["samples", "D.txt", "D2.txt", "--epsilon", "1"]
    shown = audit(*words)
    audit(*words, "--format", "json", "--output", "result.json")
    again = audit("render", "result.json")
    assert (again.out, again.code) == (shown.out, shown.code)
    stored = Path("result.json").read_text(encoding="utf-8")
    assert audit("render", "result.json", "--format", "json").out == stored
    audit("render", "result.json", "--report", "reports")
    assert (Path("reports") / "recorded-mechanism.md").exists()

"""Whatever words stand behind `audit`, a result or one line comes of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.frontends.cli.app import COMMANDS
from audit.report.json_node import render_json
from tests.audit.report.sample_results import violation

from .conftest import Audit
from .examples import examples
from .test_domains import STRATEGIES, specs
from .words import json_texts, mutated, numerals, texts, words

pytestmark = pytest.mark.slow

FILES = {
    "release.py": "def count(data, rng, size):\n    return len(data) + rng.laplace(0, 1, size)\n"
    "def raw(data):\n    return data\n"
    "number = 3\n",
    "failing.py": "raise SystemExit(1)\n",
    "syntax.py": "def f(:\n",
    "ages.csv": "age,sex\n39,f\n50,m\n61,f\n",
    "text.json": '["a", "b", null]',
    "records.py": STRATEGIES,
    "garbage.bin": "\0\1\2",
    "empty.txt": "",
    "D.txt": "\n".join(map(str, range(100))),
    "D1.txt": "\n".join(map(str, range(1, 101))),
    "result.json": render_json(violation()),
}
SHORT = ("--max-samples", "80")
USUAL = (
    ("laplace", *SHORT),
    ("noisy-average-clamped", *SHORT),
    ("sparse-vector-1", *SHORT),
    ("python", "release.py:count", "--epsilon", "1", "--data", "[1, 2]", *SHORT),
    ("python", "release.py:raw", "--epsilon", "1", "--domain", "int:0:9", *SHORT),
    ("sql", "SELECT count(*) FROM data", "--epsilon", "1", "--data", "[1, 2]", *SHORT),
    ("samples", "D.txt", "D1.txt", "--epsilon", "1", "--bins", "3"),
    ("samples", "D.txt", "--null", "--epsilon", "1", "--bins", "3"),
    ("render", "result.json"),
    ("list",),
    ("list", "--format", "json"),
)
"""Calls that end with a result, and in no time."""


paths = st.sampled_from([*FILES, ".", "/", "gone", "gone/file", "release.py/file"]) | texts.filter(
    lambda text: "/" not in text  # nothing is written but here
)
relations = st.sampled_from(["add-remove", "substitute", "user", "declared"]) | texts
data = json_texts | mutated(json_texts) | paths | st.sampled_from(["[]", "[1]", "[1, 2]", "[[1]]"])
small = st.sampled_from(["1", "2", "7", "80", "0", "-1", "1.5", "1e1", "nan", "1e400"]) | texts
VALUES = {
    "--epsilon": words,
    "--delta": words,
    "--rho": words,
    "--mu": words,
    "--renyi": words | st.tuples(numerals, numerals).map(":".join),
    "--relation": relations,
    "--data": data,
    "--neighbor": data,
    "--column": words | st.sampled_from(["age", "sex", "value"]),
    "--domain": specs,
    "--max-samples": small,
    "--alpha": words | st.sampled_from(["0.01", "0.999"]),
    "--bins": small,
    "--seed": small | numerals,
    "--workers": st.sampled_from(["1", "0", "-1", "1.5", "x", "nan"]),
    "--timeout": st.sampled_from(["0.5", "10", "1e8", "0", "-1", "nan", "inf", "1e-400", "1e400"]),
    "--store": st.sampled_from(
        ["kept.db", "", ".", "gone/kept.db", "release.py", "\udcff", "a\0b"]
    ),
    "--cluster": st.sampled_from(["", "x", "http://x", "[", "\x1b[31m"]),
    "--format": st.sampled_from(["text", "json", "markdown", "yaml", ""]) | texts,
    "--output": paths,
    "--report": paths,
    "--fail-on": st.sampled_from(["violation", "leak", "never"]) | texts,
    "--progress": st.sampled_from(["auto", "off", "of"]) | texts,
    "--database": paths,
    "--scale": words,
    "--group": texts,
    "--sweep": words | st.tuples(numerals, numerals, numerals).map(":".join),
}
SWITCHES = ("--search", "--no-search", "--null", "--no-null", "--debugg", "--version", "-h")

valued = st.one_of([st.tuples(st.just(flag), value) for flag, value in VALUES.items()])
flags = st.one_of(
    valued,
    valued.map(lambda pair: ("=".join(pair),)),
    (st.sampled_from(SWITCHES) | texts).map(lambda word: (word,)),
)
several = st.lists(flags, max_size=3).map(lambda found: [word for flag in found for word in flag])


def fill(folder: Path) -> None:
    """The same files again, whatever the last call has written or made."""
    for found in folder.iterdir():
        shutil.rmtree(found) if found.is_dir() else found.unlink()
    for name, content in FILES.items():
        (folder / name).write_text(content, "utf-8")


@pytest.mark.parametrize("usual", USUAL, ids=" ".join)
def test_the_usual_calls_end_with_a_result(
    audit: Audit, here: Path, usual: tuple[str, ...]
) -> None:
    fill(here)
    run = audit(*usual)
    # So few runs may end in no answer, which is a result as well.
    assert run.code in (0, 1, 3)
    assert run.out != ""


@examples(50)
@given(st.sampled_from(USUAL), several)
@example(USUAL[0], ["--epsilon", "\x1b[31m"])
@example(("laplace",), ["--max-samples", "1" + "0" * 400])
@example(("all", "--group", "Primer"), ["--alpha", "2"])
@example(("all", "--group", "Primer", "--alpha", "0.1"), ["--bins", "0"])
@example(("sql", "SELECT '\udcff' FROM data", "--epsilon", "1"), ["--data", "[1]"])
@example(("sql", "SELECT 1", "--epsilon", "1", "--data", "[1]"), ["--database", "x" * 300])
@example(("python", "x" * 300 + ".py:f"), ["--epsilon", "1"])
@example(USUAL[0], ["--output", "x" * 300])
@example(USUAL[0], ["--report", "a\0b"])
@example(USUAL[1], ["--data", "text.json"])
def test_any_flags_on_top_of_a_usual_call(
    audit: Audit, here: Path, usual: tuple[str, ...], more: list[str]
) -> None:
    fill(here)
    audit(*usual, *more)


def bare(text: str) -> str:
    """The text without what a flag's name and its value's printed form differ in."""
    return re.sub("[-_ ]", "", text.lower().replace("é", "e"))


NAMED = sorted(VALUES.keys() - {"--data", "--neighbor", "--relation"})
"""Flags whose refusals are about themselves; those of the others may be about a record."""


@examples(25)
@given(st.one_of([st.tuples(st.just(flag), VALUES[flag]) for flag in NAMED]))
@example(("--epsilon", "nan"))
@example(("--renyi", "2:0"))
@example(("--alpha", "1"))
@example(("--domain", "int:0:1e400"))
def test_a_refusal_names_the_flag_or_its_value(
    audit: Audit, here: Path, given_flag: tuple[str, str]
) -> None:
    fill(here)
    flag, value = given_flag
    budget = () if flag in SHORT else SHORT
    run = audit("laplace", f"{flag}={value}", *budget)
    if run.code == 2:
        assert bare(flag) in bare(run.problem) or bare(repr(value[:20])[1:-1]) in bare(run.problem)


@examples(45)
@given(st.sampled_from(USUAL), st.data())
def test_a_usual_call_after_an_accident(
    audit: Audit, here: Path, usual: tuple[str, ...], data: st.DataObject
) -> None:
    fill(here)
    kept = [word for word in usual if word not in SHORT]
    place = data.draw(st.integers(0, len(kept)))
    instead = data.draw(st.lists((words | paths), max_size=2))
    audit(*kept[:place], *instead, *kept[place + 1 :], *usual[len(kept) :])


@examples(45)
@given(st.sampled_from([*COMMANDS, "", "-", "--", "laplace"]) | texts, several)
def test_any_command_with_any_flags(audit: Audit, here: Path, name: str, more: list[str]) -> None:
    fill(here)
    audit(name, *more, "--max-samples", "nan")


@examples(25)
@given(st.lists(words | paths | st.sampled_from(["{data}", "{x}"]), max_size=3))
def test_programs_that_are_none(audit: Audit, here: Path, program: list[str]) -> None:
    fill(here)
    audit("command", "--epsilon", "1", "--data", "[1]", "--", "./release.py", *program)
    audit("command", "--epsilon", "1", "--data", "[1]", "--", *program[:1])

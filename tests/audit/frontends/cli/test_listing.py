"""`audit list`: every mechanism, its claim, and what is known."""

from __future__ import annotations

import json

from audit.frontends.cli.listing import catalog

from .conftest import Audit


def test_every_mechanism_is_listed_under_its_heading(audit: Audit) -> None:
    run = audit("list")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0] == "Noisy average"
    assert lines[1].split() == [
        *("noisy-average", "ε", "=", "0.5", "add-remove", "breaks", "its", "claim"),
        *("(true", "ε", "=", "∞)"),
    ]
    named = {line.split()[0] for line in lines if line.startswith("  ")}
    assert named == set(catalog())


def test_the_same_for_programs(audit: Audit) -> None:
    found = json.loads(audit("list", "--format", "json").out)
    assert [entry["name"] for entry in found] == list(catalog())
    first = found[0]
    assert first["claim"] == {"kind": "pure", "epsilon": 0.5, "delta": 0.0}
    assert first["truth"]["epsilon"] == "inf"


def test_words_and_headings_narrow_the_list(audit: Audit) -> None:
    every = {name: entry.group for name, entry in catalog().items()}
    found = json.loads(audit("list", "Laplace", "--format", "json").out)
    assert [entry["name"] for entry in found] == [name for name in every if "laplace" in name]
    heading = found[0]["group"]
    both = audit("list", "laplace", "--group", heading).out.splitlines()
    assert both[0] == heading
    named = [line.split()[0] for line in both if line.startswith("  ")]
    assert named == [n for n, group in every.items() if "laplace" in n and group == heading]


def test_words_and_headings_without_a_mechanism_are_refused(audit: Audit) -> None:
    for words in (("no-such-name",), ("--group", "No such heading")):
        run = audit("list", *words)
        assert run.code == 2 and len(run.err.splitlines()) == 1
        assert words[-1] in run.err

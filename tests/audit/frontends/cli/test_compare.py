"""`audit compare`: changes between two sets of results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.claims import PureDP
from audit.report.json_node import render_json
from audit.verdict.findings import Diagnosis, Leak
from audit.verdict.result import AuditResult, Verdict
from tests.audit.report.sample_results import LOW_BITS, inconclusive, not_refuted, violation

from .conftest import Audit

LEAK = Leak(kind="floating-point", event=LOW_BITS, log_evalue=50.0)
QUIET = replace(not_refuted(), leaks=())


def stored(folder: str, *results: AuditResult) -> str:
    for number, result in enumerate(results):
        place = Path(folder, f"part {number % 2}")
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.json").write_text(render_json(result), encoding="utf-8")
    return folder


def named(name: str, result: AuditResult) -> AuditResult:
    return replace(result, mechanism=name)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    old = stored(
        "old",
        named("broke", QUIET),
        named("broken", violation()),
        named("gone", QUIET),
        named("leaky", QUIET),
        named("loosened", QUIET),
        named("same", QUIET),
        named("settled", violation()),
    )
    new = stored(
        "new",
        named("broke", replace(violation(), leaks=())),
        named("broken", violation()),
        named("fresh", QUIET),
        named("leaky", replace(QUIET, leaks=(LEAK,))),
        named("loosened", replace(QUIET, claim=PureDP(2.0))),
        named("same", QUIET),
        named("settled", QUIET),
    )
    return old, new


def test_everything_that_changed_is_said_what_is_new_first(
    audit: Audit, folders: tuple[str, str]
) -> None:
    found = audit("compare", *folders)
    lines = found.out.splitlines()
    said = {line.split()[0]: line for line in lines[1:] if "–" in line or "  " in line}
    assert next(iter(said)) == "broke" and "was not refuted, is a violation" in said["broke"]
    assert "floating-point leak is new" in said["leaky"]
    assert "was a violation, is not refuted; claimed was ε = 0.5, is ε = 1" in said["settled"]
    assert "claimed was ε = 1, is ε = 2" in said["loosened"]
    assert said["gone"].endswith("gone") and said["fresh"].endswith("new")
    assert said["broken"].endswith("nothing") and "same" not in said
    assert lines[-2] == (
        "8 targets: 1 newly a violation, 1 no longer refuted, 1 still a violation, "
        "1 with a new leak, 1 not there before, 1 gone, 2 unchanged"
    )
    assert found.code == 1


def test_results_without_a_common_name_are_told_how_to_get_one(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = stored("old", named("v1.py:f", QUIET)), stored("new", named("v2.py:f", QUIET))
    advice = "audit both with the same --name, or rename a stored result: audit render RESULT.json"
    assert advice in audit("compare", old, new).out.splitlines()[-1]
    assert advice in audit("compare", old, new, "--format", "markdown").out
    renamed = ("--name", "v2.py:f", "--format", "json", "--output", "renamed.json")
    audit("render", "old/part 0/0.json", *renamed)
    found = audit("compare", "renamed.json", new)
    assert "1 target: 1 unchanged" in found.out and "--name" not in found.out


def test_other_formats_say_the_same(audit: Audit, folders: tuple[str, str]) -> None:
    text = audit("compare", *folders).out
    markdown = audit("compare", *folders, "--format", "markdown").out
    found = json.loads(
        audit("compare", *folders, "--format", "json", "--output", "c.json").out
        or Path("c.json").read_text()
    )
    assert found["summary"] in text and found["summary"] in markdown
    by_name = {target["name"]: target for target in found["targets"]}
    assert len(by_name) == 8 and by_name["same"]["changes"] == []
    assert by_name["gone"]["new"] is None and by_name["fresh"]["old"] is None
    for target in found["targets"]:
        for change in target["changes"]:
            assert change in text and change in markdown.replace("&#61;", "=")


@pytest.mark.parametrize(
    ("old", "new", "flags", "code"),
    [
        (QUIET, QUIET, (), 0),
        (QUIET, violation(), (), 1),
        (violation(), violation(), (), 1),
        (violation(), violation(), ("--only-new",), 0),
        (QUIET, violation(), ("--only-new",), 1),
        (QUIET, violation(), ("--fail-on", "never"), 0),
        (QUIET, inconclusive(), (), 3),
        (inconclusive(), inconclusive(), (), 3),
        (inconclusive(), inconclusive(), ("--only-new",), 0),
        (QUIET, replace(QUIET, leaks=(LEAK,)), (), 0),
        (QUIET, replace(QUIET, leaks=(LEAK,)), ("--fail-on", "leak"), 1),
        (replace(QUIET, leaks=(LEAK,)),) * 2 + (("--fail-on", "leak", "--only-new"), 0),
    ],
)
def test_exit_codes(
    audit: Audit,
    here: Path,
    old: AuditResult,
    new: AuditResult,
    flags: tuple[str, ...],
    code: int,
) -> None:
    (here / "old.json").write_text(render_json(named("f", old)))
    (here / "new.json").write_text(render_json(named("f", new)))
    assert audit("compare", "old.json", "new.json", *flags).code == code


def test_a_new_target_that_is_a_violation_is_new(audit: Audit, here: Path) -> None:
    (here / "old.json").write_text(render_json(QUIET))
    both = [QUIET.to_json(), violation().to_json()]
    (here / "new.json").write_text(json.dumps(both))
    assert audit("compare", "old.json", "new.json", "--only-new").code == 1


def test_targets_of_one_name_are_told_apart(audit: Audit, here: Path) -> None:
    twice = [replace(QUIET, claim=PureDP(e)).to_json() for e in (1.0, 2.0, 2.0)]
    (here / "old.json").write_text(json.dumps(twice))
    found = json.loads(audit("compare", "old.json", "old.json", "--format", "json").out)
    assert [target["name"] for target in found["targets"]] == [
        "laplace-count",
        "laplace-count at ε = 2",
        "laplace-count at ε = 2 (2)",
    ]


@pytest.mark.parametrize("old", ["nowhere.json", "empty", "broken.json"])
def test_what_is_no_result_is_refused_in_one_line(audit: Audit, here: Path, old: str) -> None:
    (here / "empty").mkdir()
    (here / "broken.json").write_text('{"schema": 1}')
    (here / "new.json").write_text(render_json(QUIET))
    found = audit("compare", old, "new.json")
    assert found.code == 2 and len(found.err.splitlines()) == 1
    assert found.out == ""


def test_names_from_outside_cannot_steer_a_terminal(audit: Audit, here: Path) -> None:
    steering = named("a\x1b[2J|b", replace(QUIET, verdict=Verdict.VIOLATION))
    (here / "new.json").write_text(render_json(steering))
    text = audit("compare", "new.json", "new.json").out
    markdown = audit("compare", "new.json", "new.json", "--format", "markdown").out
    assert "\x1b" not in text + markdown and "|b" not in markdown


def caused(cause: str) -> AuditResult:
    found = Diagnosis(cause=cause, sentence="A cause.", advice="A remedy.")
    return replace(violation(), diagnosis=found)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            caused("noise-too-small"),
            caused("noise-too-small"),
            "still there: the noise is too small",
        ),
        (
            caused("no-noise"),
            caused("noise-too-small"),
            "another cause: 'no noise' is gone, 'the noise is too small' is next",
        ),
        (caused("unknown"), caused("unknown"), "  nothing"),
        (caused("unknown"), caused("no-noise"), "  nothing"),
        (
            caused("no-noise"),
            replace(caused("no-noise"), claim=PureDP(1.0)),
            "claimed was ε = 0.5, is",
        ),
        (
            caused("no-noise"),
            replace(QUIET, claim=PureDP(0.5)),
            "fixed (no longer refuted; 90% power to detect ε ≥ 1.05",
        ),
        (
            caused("no-noise"),
            replace(QUIET, claim=PureDP(0.5), detectable_epsilon=9.0),
            "no longer refuted, with too few runs to detect the old bound; 90% power to detect ε",
        ),
        (caused("no-noise"), inconclusive(), "not decided (was a violation)"),
        (QUIET, caused("no-noise"), "was not refuted, is a violation"),
    ],
)
def test_causes_say_what_a_change_did(
    audit: Audit, here: Path, old: AuditResult, new: AuditResult, said: str
) -> None:
    for name, result in (("old.json", old), ("new.json", new)):
        Path(name).write_text(render_json(named("sum", result)), encoding="utf-8")
    line = audit("compare", "old.json", "new.json").out.splitlines()[1]
    assert said in line
    outcomes = ("still there", "another cause", "fixed", "not decided")
    assert [word for word in outcomes if word in line] == [
        word for word in outcomes if word in said
    ]

"""The command line that gives the same result again."""

from __future__ import annotations

import json
import shlex

import pytest

from audit.frontends.cli.invocation import Invocation, in_one_line, without_debug
from tests.timeless import timeless

from .conftest import Audit


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("laplace", "laplace"),
        ("laplace --epsilon 0.5 --seed 3", "laplace --epsilon 0.5 --seed 3"),
        ("laplace --format json --output x.json --report r", "laplace"),
        ("laplace --verbose --seed 3 -q", "laplace --seed 3"),
        ("laplace --format=json --fail-on=never --seed=3", "laplace --seed=3"),
        ("laplace --progress off --workers 2 --null", "laplace --null"),
        ("python f.py:g --epsilon 1 --fail-on leak", "python f.py:g --epsilon 1"),
        (
            "command --format json -- ./p --format csv --output {output}",
            "command -- ./p --format csv --output {output}",
        ),
    ],
)
def test_flags_of_output_are_left_out(given: str, kept: str) -> None:
    found = Invocation(tuple(shlex.split(given))).reproducing
    assert shlex.split(found) == ["audit", *shlex.split(kept)]


def test_words_are_quoted_for_a_shell() -> None:
    found = Invocation(("sql", "SELECT 'a b' FROM data", "--data", "[1, 2]")).reproducing
    assert shlex.split(found) == ["audit", "sql", "SELECT 'a b' FROM data", "--data", "[1, 2]"]


def test_only_a_domain_is_written_in_one_line() -> None:
    copied = "a=choice:x y,\n    b=choice:in the\n    north"
    given = ["sql", "a\nb", "--domain", copied, f"--domain={copied}", "--", "--domain", "c\nd"]
    one = "a=choice:x y, b=choice:in the north"
    assert in_one_line(given) == [*given[:3], one, f"--domain={one}", *given[5:]]


def test_debug_is_taken_out_but_not_behind_the_dashes() -> None:
    assert without_debug(["laplace", "--debug"]) == (True, ["laplace"])
    assert without_debug(["command", "--", "p", "--debug"]) == (
        False,
        ["command", "--", "p", "--debug"],
    )


@pytest.mark.slow
def test_the_command_of_a_result_gives_the_same_result(audit: Audit) -> None:
    words = ["laplace", "--epsilon", "0.7", "--max-samples", "4000", "--seed", "5", "--format"]
    first = audit(*words, "json", "--fail-on", "never")
    command = shlex.split(json.loads(first.out)["command"])
    assert command == ["audit", *words[:-1]]
    assert timeless(audit(*command[1:], "--format", "json").out) == timeless(first.out)

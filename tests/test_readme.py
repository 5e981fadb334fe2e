"""What the README and the page of the command line show is what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from audit.frontends.cli.main import main, parsed

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
FLAG = re.compile(r"`(--[a-z][a-z-]*)")
OWN = {"--database", "--serve", "--shuffle"}
"""Flags of single commands."""
GENERAL = {"--debug", "--help", "--help-all", "--version"}


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def table_flags() -> list[str]:
    section = COMMAND_LINE.partition("## Flags of every audit")[2].partition("\n## ")[0]
    return [flag for line in section.splitlines() if line[:1] == "|" for flag in FLAG.findall(line)]


def help_of(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main([name, "--help-all"]) == 0
    return capsys.readouterr().out


COMMANDS = [
    line for block in blocks("sh") for line in block.splitlines() if line.startswith("audit ")
]


@pytest.mark.parametrize("name", ["noisy-average", "python", "command", "sql", "samples"])
def test_the_table_of_flags_is_that_of_the_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = help_of(name, capsys)
    assert [flag for flag in table_flags() if not re.search(rf"{flag}\b", shown)] == []
    described = {*table_flags(), *GENERAL, "--sensitivity", "--no-search", *OWN}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", shown)) - described == set()


@pytest.mark.slow
def test_every_flag_named_anywhere_exists(capsys: pytest.CaptureFixture[str]) -> None:
    audits = ("noisy-average", "command", "http", "sql", "samples", "canaries", "all")
    commands = (*audits, "compare", "benchmark")
    known = " ".join([*(help_of(command, capsys) for command in commands), *GENERAL])
    assert [flag for flag in FLAG.findall(README + COMMAND_LINE) if flag not in known] == []


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_understood(line: str) -> None:
    assert callable(parsed(shlex.split(line, comments=True)[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("source", blocks("python"), ids=lambda s: s.splitlines()[0])
def test_every_piece_of_python_runs(source: str) -> None:
    names: dict[str, object] = {"__name__": "readme"}
    exec(compile(source, "README.md", "exec"), names)
    for name, value in names.items():
        if name.startswith("test_") and callable(value):
            value()


@pytest.mark.parametrize("link", re.findall(r"\]\(((?!https?:)[^)#]+)\)", README))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_set_up_is_two_commands() -> None:
    section = README.partition("## Set-up")[2].partition("\n## ")[0]
    commands = re.findall(r"^```sh\n(.*?)^```$", section, flags=re.DOTALL | re.MULTILINE)
    assert [command.count("\n") for command in commands] == [1, 1]
    assert commands[0].endswith("audit noisy-average\n")
    assert commands[1].endswith("pytest\n")


@pytest.mark.parametrize(
    "name", ["python", "command", "http", "sql", "samples", "canaries", "all", "compare", "render"]
)
def test_every_flag_has_a_row_in_the_reference(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = set(re.findall(r"(?m)^│ (?:\w+ )?(--[a-z-]+)", help_of(name, capsys)))
    assert shown >= {"--output", "--fail-on"}
    assert shown - {*FLAG.findall(COMMAND_LINE)} == set()

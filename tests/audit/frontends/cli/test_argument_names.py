"""Messages name arguments in Python and flags on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import audit
from audit.frontends.cli.invocation import as_flags

from .conftest import Audit

MISSING = "import nothing_of_this_name\n"
FAILS = 'raise RuntimeError("no database")\n'


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module whose functions fail on every dataset, for two reasons."""
    functions = [f"def f{i}(data, rng):\n    {body}" for i, body in enumerate((MISSING, FAILS))]
    (tmp_path / "release.py").write_text("\n".join(functions), "utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("message", "flags"),
    [
        ("give `data` or `max_samples`", "give --data or --max-samples"),
        ("give `neighbors`, `records='dict'`", "give --neighbor, --records dict"),
        ("leave `search=False` out, or `null=True`", "leave --no-search out, or --null"),
        ("(`Ellipsis`) `nothing=1` and data", "(`Ellipsis`) `nothing=1` and data"),
    ],
)
def test_arguments_become_flags_and_nothing_else_does(message: str, flags: str) -> None:
    assert as_flags(message) == flags


@pytest.mark.usefixtures("release")
def test_each_interface_reads_its_own_names(audit: Audit) -> None:
    run = audit("python", "release.py:f1", "--data", "[1]")
    assert "give --epsilon (with --delta), or another kind of claim" in run.err
    assert "`" not in run.err


def test_python_callers_read_of_arguments() -> None:
    with pytest.raises(
        audit.errors.InputError, match=r"give `epsilon` \(with `delta`\), or another kind of"
    ) as error:
        audit.run(len, data=[1])
    assert "--" not in str(error.value)


@pytest.mark.usefixtures("release")
def test_the_cause_comes_first_and_the_domain_only_if_it_may_be_wrong(audit: Audit) -> None:
    flags = ("--epsilon", "1", "--domain", "int:0:9")
    wrong_input, missing = (audit("python", f"release.py:f{i}", *flags) for i in (1, 0))
    assert (wrong_input.code, missing.code) == (2, 2)
    assert wrong_input.err.startswith(
        "audit: RuntimeError: no database (release.py:5 in f1) on every dataset tried, such as"
    )
    assert "check --domain" in wrong_input.err
    assert missing.err.startswith("audit: ModuleNotFoundError: No module named 'nothing_of")
    assert "--domain" not in missing.err


@pytest.mark.parametrize(
    ("word", "command"),
    [("f.py:ok", "audit python f.py:ok"), ("http://a/b", "audit http http://a/b")],
)
def test_an_address_alone_leads_to_its_command(audit: Audit, word: str, command: str) -> None:
    run = audit(word)
    assert (run.code, run.err) == (2, f"audit: {word!r} is no command; write {command}\n")

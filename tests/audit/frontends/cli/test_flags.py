"""The flags that all audits share: they are there, with these defaults."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

import pytest
from cyclopts import Token

from audit.errors import InputError
from audit.frontends.cli.flags import (
    BudgetFlags,
    ClaimFlags,
    DataFlags,
    OutputFlags,
    helped,
    whole_number,
)

from .conftest import Audit

GROUPS = ("Claim", "Data", "Budget", "Output")
AUDITS = ["noisy-average", "python", "command", "sql", "samples"]
FLAGS = {
    "--epsilon": None,
    "--delta": None,
    "--rho": None,
    "--mu": None,
    "--renyi": None,
    "--profile": None,
    "--relation": None,
    "--data": (),
    "--column": None,
    "--records": None,
    "--neighbor": (),
    "--domain": None,
    "--special": False,
    "--search": None,
    "--max-samples": 400_000,
    "--max-seconds": None,
    "--timing": False,
    "--assume": (),
    "--until": "bound",
    "--alpha": 0.001,
    "--bins": 20,
    "--seed": 0,
    "--workers": 1,
    "--timeout": 10.0,
    "--cluster": None,
    "--store": None,
    "--ledger": None,
    "--format": "text",
    "--output": None,
    "--report": None,
    "--verbose": False,
    "--quiet": False,
    "--null": False,
    "--fail-on": "violation",
    "--progress": "auto",
}


@pytest.mark.parametrize("name", AUDITS)
def test_every_audit_has_them(audit: Audit, name: str) -> None:
    shown = audit(name, "--help-all").out
    assert [flag for flag in FLAGS if f"{flag} " not in shown] == []
    assert "--no-search" in shown


@pytest.mark.parametrize("name", [*AUDITS, "http", "canaries", "all", "laplace"])
def test_help_shows_at_most_sixteen_flags(audit: Audit, name: str) -> None:
    short, whole = audit(name, "--help"), audit(name, "--help-all")
    shown = re.findall(r"(?m)^│ (--[a-z-]+)", short.out)
    assert (short.code, short.err, whole.code, whole.err) == (0, "", 0, "")
    assert ("--epsilon" in shown, "--report" in shown) == (name != "all", True)
    assert 8 <= len(shown) <= 16 < len(re.findall(r"(?m)^│ (--[a-z-]+)", whole.out))
    assert {*re.findall(r"(?m)^╭─ (\w+)", short.out)} <= {*GROUPS, "Arguments", "Mechanism"}
    assert "--help-all shows every flag" in short.out
    assert "--help-all shows every flag" not in whole.out


def test_help_all_after_two_dashes_belongs_to_the_program(audit: Audit) -> None:
    run = audit("command", "--epsilon", "1", "--", "true", "--help-all")
    assert "Usage" not in run.out
    assert run.code == 2


def test_their_defaults() -> None:
    groups = (ClaimFlags(), DataFlags(), BudgetFlags(), OutputFlags())
    found = {
        f"--{f.name.replace('_', '-')}": getattr(group, f.name)
        for group in groups
        for f in fields(group)
    }
    assert found == FLAGS


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("4e5", 400_000), ("400_000", 400_000), ("1.0", 1), ("-3", -3)]
)
def test_whole_numbers_are_read(text: str, number: int) -> None:
    assert whole_number(int, [Token(keyword="--seed", value=text)]) == number


@pytest.mark.parametrize("text", ["1.5", "1e-3", "many", "", "nan", "inf", "0x10"])
def test_other_numbers_are_refused_not_rounded(text: str) -> None:
    with pytest.raises(InputError, match=r"--seed .* is not a whole number") as refused:
        whole_number(int, [Token(keyword="--seed", value=text)])
    assert refused.value.offender == text


@pytest.mark.parametrize("text", ["2", "2:", ":1", "a:b", "2:1:1", ""])
def test_renyi_needs_an_order_and_an_epsilon(text: str) -> None:
    with pytest.raises(InputError, match=r"write for example 2:0\.5"):
        ClaimFlags(renyi=text).given()


def test_given_claims_are_arguments_of_an_audit() -> None:
    assert ClaimFlags().given() == {}
    assert ClaimFlags(epsilon=1.0, delta=0.1).given() == {"epsilon": 1.0, "delta": 0.1}
    assert ClaimFlags(renyi="2:0.5").given() == {"renyi": (2.0, 0.5)}


def test_help_is_the_same_however_python_keeps_docstrings() -> None:
    class Kept:
        """Flags.

        Attributes:
            one: a help of
                two lines.
        """

    class Dedented:
        """Flags."""

    Dedented.__doc__ = inspect.cleandoc(Kept.__doc__ or "")
    assert helped(Kept).__doc__ == helped(Dedented).__doc__
    assert (Kept.__doc__ or "").endswith("    one: a help of two lines")

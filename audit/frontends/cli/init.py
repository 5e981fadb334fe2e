"""`audit init`: a first test of a function, and a first table [tool.audit]."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from audit.blackbox.callables import load_callable
from audit.blackbox.python import PythonBlackBox, check_class
from audit.claims import check_claim
from audit.errors import InputError, reason_of
from audit.frontends.cli.flags import ClaimFlags
from audit.frontends.cli.folding import say
from audit.frontends.cli.invocation import Call
from audit.frontends.project import nearest, settings_in
from audit.neighbors.domain import parse_domain

_TABLE = """\
[tool.audit]
# Defaults of `audit` and of the pytest plugin; `audit python --help` shows all flags.
# More runs detect smaller violations, and take more time.
max-samples = 20_000
# With a ledger alpha bounds the probability of a false alarm in all audits of a target together.
# ledger = "audits.jsonl"
"""
_TEST = '''\
"""{module} keeps its privacy claim, as far as an audit can tell."""

{imported}from audit.testing import assert_private
from {module} import {function}


def test_{function}_is_private() -> None:
    {mechanism}, {arguments})
'''
_MADE = """\
# factory= makes the object anew in every fresh instance; replace each ... by a value.
    assert_private(factory=lambda: {function}({values})"""


def command(
    function: Annotated[
        str, Parameter(help="FILE.py:FUNCTION or package.module:function", show=True)
    ],
    /,
    *,
    domain: Annotated[str, Parameter(help="one record, as int:0:100 or float:-1:1")],
    claim: ClaimFlags = ClaimFlags(),
    invocation: Call,
) -> int:
    """Write both; nothing that is there is changed."""
    found = load_callable(function)
    values = _required(found)
    if values:
        check_class(found)
    else:
        PythonBlackBox(found)
    stated = claim.claim
    if stated is None:
        raise InputError("a test needs a claim; give --epsilon, --rho, --mu or --renyi", claim)
    check_claim(stated)
    parse_domain(domain)
    test = _test_file(function)
    if test.exists():
        raise InputError(f"{test} is there already; rename it, or write a test by hand", test)
    project = nearest(Path.cwd()) or Path("pyproject.toml")
    there = settings_in(project) is not None
    _written(test, _test(function, claim, domain, values))
    first = "replace each ... in it by a value, then " if values else ""
    say(f"{test} written; {first}run it with: pytest {test}")
    if there:
        say(f"{project} has a [tool.audit], which stays as it is")
    else:
        before = project.read_text("utf-8") if project.exists() else ""
        gap = "\n" * (bool(before) + (bool(before) and not before.endswith("\n")))
        _written(project, f"{before}{gap}{_TABLE}")
        say(f"[tool.audit] written to {project.absolute()}")
    return 0


def _required(found: Any) -> list[str]:
    if not inspect.isclass(found):
        return []
    _, *parameters = inspect.signature(found.__init__).parameters.values()
    free = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in free]


def _test_file(function: str) -> Path:
    """Beside a file, where pytest finds its module; else where the command was given."""
    place, _, name = function.rpartition(":")
    folder = Path(place).parent if place.endswith(".py") else Path()
    return folder / f"test_{name.replace('.', '_')}_privacy.py"


def _test(function: str, claim: ClaimFlags, domain: str, values: list[str]) -> str:
    place, _, name = function.rpartition(":")
    module = Path(place).stem if place.endswith(".py") else place
    if not all(part.isidentifier() for part in module.split(".")) or not name.isidentifier():
        raise InputError(
            f"{function!r} cannot be imported by its name; write a test by hand, with "
            "assert_private of audit.testing",
            function,
        )
    imported, words = _claim(claim)
    if claim.relation is not None:
        words.append(f"relation={_python(claim.relation)}")
    arguments = ", ".join([*words, f"domain={_python(domain)}"])
    made = _MADE.format(function=name, values=", ".join(f"{value}=..." for value in values))
    mechanism = made if values else f"assert_private({name}"
    return _TEST.format(
        module=module, function=name, imported=imported, mechanism=mechanism, arguments=arguments
    )


def _claim(flags: ClaimFlags) -> tuple[str, list[str]]:
    """The import that a claim needs, and the arguments that state it."""
    given = flags.given()
    if "epsilon" in given:
        return "", [f"{name}={_python(value)}" for name, value in given.items()]
    if flags.profile is not None:
        name, stated = "profile_claim", f"profile_claim({_python(flags.profile)})"
    else:
        name, stated = type(flags.claim).__name__, repr(flags.claim)
    return f"from audit.claims import {name}\n", [f"claim={stated}"]


def _python(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _written(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {reason_of(error)}", path) from None

"""`audit list` and `audit completion`: mechanisms of the catalogue, and scripts of shells."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from audit.declaration import Entry, Truth
from audit.errors import InputError
from audit.frontends.cli.app import build
from audit.frontends.cli.catalogs import catalog, in_groups, with_words
from audit.frontends.cli.invocation import Call
from audit.frontends.cli.output import write
from audit.jsonable import jsonable
from audit.report.tables import aligned


def list_mechanisms(
    *words: Annotated[str, Parameter(help="only names that contain all these words")],
    group: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            show_default=False,
            help="only mechanisms under this heading; may be repeated",
        ),
    ] = (),
    format: Annotated[Literal["text", "json"], Parameter(help="format of the list")] = "text",
    output: Annotated[str | None, Parameter(help="file for the list")] = None,
    invocation: Call,
) -> int:
    """Show name, claim, relation and known truth of every mechanism."""
    entries = with_words(in_groups(catalog(), group), words).values()
    write(_as_json(entries) if format == "json" else _as_text(entries), output)
    return 0


def _as_text(entries: Iterable[Entry]) -> str:
    listed = list(entries)
    rows = [("", e.name, str(e.mechanism.claim), str(e.relation), truth_of(e)) for e in listed]
    lines: list[str] = []
    group = ""
    for entry, row in zip(listed, aligned(rows), strict=True):
        if entry.group != group:
            lines += ["", entry.group]
            group = entry.group
        lines.append(row)
    return "\n".join(lines[1:]) + "\n"


def truth_of(entry: Entry) -> str:
    """Known truth for the default parameters, in a few words."""
    truth = entry.truth
    said = "keeps its claim" if truth.keeps else "breaks its claim"
    notes = [*_epsilon_of(truth), *(["floating-point leak"] if truth.leaks else [])]
    if not truth.reachable:
        notes.append("out of reach of ordinary budgets")
    return f"{said} ({', '.join(notes)})" if notes else said


def _epsilon_of(truth: Truth) -> list[str]:
    if truth.epsilon is None:
        return []
    return [f"true ε = {'∞' if math.isinf(truth.epsilon) else format(truth.epsilon, '.4g')}"]


def _as_json(entries: Iterable[Entry]) -> str:
    listed = [_described(entry) for entry in entries]
    return json.dumps(listed, indent=2, ensure_ascii=False) + "\n"


_OF_TRUTH = ("keeps", "epsilon", "reachable", "leaks", "source")


def _described(entry: Entry) -> dict[str, Any]:
    described: dict[str, Any] = jsonable(
        {
            "name": entry.name,
            "group": entry.group,
            "summary": entry.summary,
            "claim": entry.mechanism.claim.as_json(),
            "relation": str(entry.relation),
            "domain": entry.domain,
            "truth": {name: getattr(entry.truth, name) for name in _OF_TRUTH},
        }
    )
    return described


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="whose script it is")],
    /,
    *,
    output: Annotated[
        str | None, Parameter(help="file for the script; standard output if none")
    ] = None,
    invocation: Call,
) -> int:
    """Show the script."""
    write(build().generate_completion(shell=shell).rstrip("\n") + "\n", output)
    return 0


def mechanism() -> int:
    """Say what is meant."""
    raise InputError(
        "MECHANISM stands for the name of one, as in: audit noisy-average (audit list shows all)"
    )

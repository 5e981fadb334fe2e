"""Catalogues and benchmarks of installed packages; `audit list`, `audit completion`."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from audit.declaration import Catalog, Entry
from audit.errors import InputError, reason_of
from audit.frontends.cli.app import build
from audit.frontends.cli.invocation import Call
from audit.frontends.cli.output import write
from audit.jsonable import jsonable
from audit.report.formatting import aligned

CATALOGS = "dp_audit.catalogs"
BENCHMARKS = "dp_audit.benchmarks"


def catalog() -> Catalog:
    """Every mechanism that an installed package offers, by name.

    Raises:
        InputError: no package offers one, one cannot be loaded, or two
            mechanisms share a name.
    """
    points = entry_points(group=CATALOGS)
    if not points:
        raise InputError(
            "no catalogue of mechanisms is installed; install the project with pip, or audit "
            "your own with: audit python FILE.py:FUNCTION"
        )
    entries: dict[str, Entry] = {}
    for point in points:
        offered: Catalog = loaded(point)
        for name in offered:
            if name in entries:
                raise InputError(f"two catalogues offer {name!r}; uninstall one of them", name)
        entries |= offered
    return entries


def loaded(point: EntryPoint) -> Any:
    """Object that an entry point names.

    Raises:
        InputError: the package that offers it is broken.
    """
    try:
        return point.load()
    except Exception as error:
        raise InputError(
            f"{point.group} of {point.value!r} cannot be loaded ({reason_of(error)}); "
            "reinstall the package that offers it",
            point.value,
        ) from error


def entry_named(name: str) -> Entry:
    """The mechanism of that name.

    Raises:
        InputError: there is none; the message suggests near names.
    """
    entries = catalog()
    if name not in entries:
        raise InputError(f"{name!r} is no mechanism of the catalogue; {_near(name, entries)}", name)
    return entries[name]


def in_groups(entries: Catalog, groups: Sequence[str]) -> Catalog:
    """Mechanisms under these headings, all if there are none.

    Raises:
        InputError: there is no such heading.
    """
    known = list(dict.fromkeys(entry.group for entry in entries.values()))
    for group in groups:
        if group not in known:
            near = difflib.get_close_matches(group, known, n=1)
            said = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise InputError(f"--group {group!r} is no heading of audit list; {said}", group)
    return {name: entry for name, entry in entries.items() if not groups or entry.group in groups}


def with_words(entries: Catalog, words: Sequence[str]) -> Catalog:
    """Mechanisms whose names contain all these words.

    Raises:
        InputError: there is none.
    """
    found = {
        name: entry
        for name, entry in entries.items()
        if all(word.lower() in name.lower() for word in words)
    }
    if words and not found:
        said = " and ".join(map(repr, words))
        near = _near("-".join(words), entries)
        raise InputError(f"no name of these mechanisms contains {said}; {near}", words)
    return found


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3)
    found = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{found}`audit list` shows all of them"


def benchmarks() -> dict[str, EntryPoint]:
    """Benchmarks that installed packages offer, not loaded yet, by name."""
    return {point.name: point for point in entry_points(group=BENCHMARKS)}


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
    if format == "json":
        listed = [_described(entry) for entry in entries]
        write(json.dumps(listed, indent=2, ensure_ascii=False) + "\n", output)
    else:
        write(_as_text(entries), output)
    return 0


def _as_text(entries: Iterable[Entry]) -> str:
    listed = list(entries)
    rows = [("", e.name, str(e.mechanism.claim), str(e.relation), truth_of(e)) for e in listed]
    placed = zip((entry.group for entry in listed), aligned(rows), strict=True)
    groups = groupby(placed, key=itemgetter(0))
    parts = ("\n".join([group, *(row for _, row in held)]) for group, held in groups)
    return "\n\n".join(parts) + "\n"


def truth_of(entry: Entry) -> str:
    """Known truth for the default parameters, in a few words."""
    truth = entry.truth
    said = "keeps its claim" if truth.keeps else "breaks its claim"
    notes = [] if truth.epsilon is None else [f"true ε = {epsilon_in_words(truth.epsilon)}"]
    if truth.leaks:
        notes.append("floating-point leak")
    if not truth.reachable:
        notes.append("out of reach of ordinary budgets")
    return f"{said} ({', '.join(notes)})" if notes else said


def epsilon_in_words(epsilon: float) -> str:
    """A true ε, which may be infinite, for a table."""
    return "∞" if math.isinf(epsilon) else f"{epsilon:.4g}"


_OF_TRUTH = ("keeps", "epsilon", "reachable", "leaks", "source")


def _described(entry: Entry) -> dict[str, Any]:
    described = {
        "name": entry.name,
        "group": entry.group,
        "summary": entry.summary,
        "claim": entry.mechanism.claim.as_json(),
        "relation": str(entry.relation),
        "domain": entry.domain,
        "truth": {name: getattr(entry.truth, name) for name in _OF_TRUTH},
    }
    return {name: jsonable(value) for name, value in described.items()}


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

"""One page about all libraries: what was refuted, by cause, and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from audit.errors import InputError
from mechanisms.external.causes import Cause, Kind, read_causes
from mechanisms.external.cells import cell, claim, linked, number, table, witness
from mechanisms.external.enumerated import enumerated
from mechanisms.external.families import families, is_enumerated
from mechanisms.external.results import stored
from mechanisms.external.seconds import kept_seconds
from mechanisms.external.slowest import write_slowest

Results = dict[str, list[dict[str, Any]]]

_INTRODUCTION = """\
# Audits of libraries

Each call below was audited as its library documents it, in the version named, with the claim
that the library states. A violation is evidence at level {alpha}; "not refuted" is never a proof:
it says how large a loss these runs, on these pairs, bounded from below (ε ≥), and which one they
would have shown. Every name links to its report, which has the datasets, the event and the
command that repeats it. Calls that a walk through constructors, options and types enumerated are
counted by constructor: `reproduce.sh LIBRARY --enumerated --list` names them, and
`reproduce.sh LIBRARY --entry NAME` repeats one. [Findings](findings.md) tells how each violation
was checked by hand and with another seed, and what speaks for the library.
`reproduce.sh findings` repeats every broken promise from fresh environments.
[These](slowest.md) took the longest.

{total} calls of {libraries} libraries, {written} written by hand and {walked} enumerated: \
{refuted} refuted, {kept} not refuted, {unanswered} without an answer.

Causes are counted, not calls. The {refuted} refuted calls have

| causes | calls | what they are |
| --: | --: | :-- |
| {real} | {real_calls} | **broken promises**: the documentation says it holds, and it does not |
| {small} | {small_calls} | **small print**: the documentation warns of it, or never promised it |
| {bits} | {bits_calls} | **floating point**: low bits give the data away, real numbers would not |
"""
_REAL = ("broken promise", "promise, and where it stands", "cause", "known", "severity")
_SMALL = ("small print", "what the documentation says", "cause", "severity")
_WITNESSES = ("broken promise", "ε ≥", "minimal witness", "command")
_KEPT = ("not refuted", "claim", "ε ≥", "would have shown", "runs", "remarks")


def write_index(folder: Path) -> Path:
    """Write README.md above the folders of libraries.

    Args:
        folder: holds one folder for each library, with its results, and the file of causes.

    Raises:
        InputError: there are no results, or a refuted call has no cause.
    """
    places = [place for place in sorted(folder.iterdir()) if place.is_dir()]
    groups = {place.name: found for place in places if (found := stored(place))}
    lines = {place.name: enumerated(place) for place in places if place.name in groups}
    if not groups:
        raise InputError(f"{str(folder)!r} holds no results; write some with --report", folder)
    causes = read_causes(folder)
    _refuse_unexplained(groups, causes)
    path = folder / "README.md"
    path.write_text(_page(groups, lines, causes), "utf-8")
    write_slowest(folder, {place.name: kept_seconds(place) for place in places})
    return path


def _refuse_unexplained(groups: Results, causes: Sequence[Cause]) -> None:
    explained = {call for cause in causes for call in cause.calls}
    refuted = {one["mechanism"] for one in _with(_all(groups), "violation")}
    if refuted - explained:
        name = min(refuted - explained)
        raise InputError(f"{name!r} is refuted and has no cause; add one to causes.toml", name)
    if explained - refuted:
        name = min(explained - refuted)
        raise InputError(f"{name!r} has a cause and is not refuted; audit it again", name)


def _all(groups: Results) -> list[dict[str, Any]]:
    return [result for group in groups.values() for result in group]


def _with(results: Iterable[dict[str, Any]], verdict: str) -> list[dict[str, Any]]:
    return [result for result in results if result["verdict"] == verdict]


def _page(groups: Results, lines: Results, causes: Sequence[Cause]) -> str:
    results, every = _all(groups), [*_all(groups), *_all(lines)]
    by_kind = {kind: [cause for cause in causes if cause.kind is kind] for kind in Kind}
    count = {kind: sum(len(cause.calls) for cause in of) for kind, of in by_kind.items()}
    real, small, bits = (by_kind[kind] for kind in Kind)
    head = _INTRODUCTION.format(
        alpha=results[0]["alpha"],
        total=len(every),
        libraries=len(groups),
        written=sum(not is_enumerated(result) for result in every),
        walked=sum(is_enumerated(result) for result in every),
        refuted=len(_with(every, "violation")),
        kept=len(_with(every, "not-refuted")),
        unanswered=len(_with(every, "inconclusive")),
        real=len(real),
        real_calls=count[Kind.REAL],
        small=len(small),
        small_calls=count[Kind.SMALL_PRINT],
        bits=len(bits),
        bits_calls=count[Kind.FLOATING_POINT],
    )
    found = {result["mechanism"]: result for result in results}
    parts = [head]
    if real:
        parts += ["## Broken promises\n", table(_REAL, [_broken(cause, found) for cause in real])]
        parts.append(table(_WITNESSES, [_shown(cause, found) for cause in real]))
    if small:
        parts += ["## Small print\n", table(_SMALL, [_warned(cause, found) for cause in small])]
    parts += _floating(groups, bits)
    parts += [_held(name, group, lines[name]) for name, group in groups.items()]
    return "\n".join(parts)


def _calls(cause: Cause, found: dict[str, dict[str, Any]]) -> str:
    return "; ".join(linked(cause.library, found[call]) for call in cause.calls)


def _broken(cause: Cause, found: dict[str, dict[str, Any]]) -> list[str]:
    name = f"[{cause.name}](drafts/{cause.name}.md). {_calls(cause, found)}"
    promise = f"“{cell(cause.promise, 400)}”: {cell(cause.where)}"
    known = cell(cause.thread, 400) or "no thread found"
    return [name, promise, cell(cause.cause, 400), known, cell(cause.severity, 400)]


def _shown(cause: Cause, found: dict[str, dict[str, Any]]) -> list[str]:
    result = found[cause.calls[0]]
    return [cause.name, number(result["epsilon_lower"]), witness(result), f"`{cause.command}`"]


def _warned(cause: Cause, found: dict[str, dict[str, Any]]) -> list[str]:
    says = f"{cell(cause.promise, 400)}: {cell(cause.where)}"
    if cause.thread:
        says = f"{says}; {cell(cause.thread, 400)}"
    return [_calls(cause, found), says, cell(cause.cause, 400), cell(cause.severity, 400)]


def _floating(groups: Results, causes: Sequence[Cause]) -> list[str]:
    """One line for each library: which outputs give the data away by their low bits."""
    rows = []
    for name, group in groups.items():
        refuted = {call for cause in causes if cause.library == name for call in cause.calls}
        calls = [one["mechanism"] for one in group if one["leaks"] or one["mechanism"] in refuted]
        if calls:
            names = ", ".join(f"[{call}]({name}/{call}.md)" for call in calls)
            why = "; ".join(cell(cause.cause, 400) for cause in causes if cause.library == name)
            rows.append([name, f"{len(calls)} of {len(group)}", names, why])
    if not rows:
        return []
    return ["## Floating point\n", table(("library", "calls", "which", "cause"), rows)]


def _held(name: str, results: list[dict[str, Any]], lines: list[dict[str, Any]]) -> str:
    version = results[0]["parameters"]["version"]
    refuted = len(_with(results, "violation"))
    parts = [f"## {name} {version}\n\n{len(results) + len(lines)} calls, {refuted} refuted.\n"]
    rest = _with(results, "not-refuted") + _with(results, "inconclusive")
    if rest:
        parts.append(table(_KEPT, [_kept(name, result) for result in rest]))
    if lines:
        leaks = sum("leak" in line for line in lines)
        walked = [*filter(is_enumerated, results), *lines]
        parts.append(f"{len(walked)} enumerated; low bits of {leaks} of them give the data away.\n")
        parts.append(families(walked))
    return "\n".join(parts)


def _kept(library: str, result: dict[str, Any]) -> list[str]:
    remarks = [result["parameters"]["warned"], result["reason"]]
    if result["leaks"]:
        remarks.append("floating-point leak: " + str(result["leaks"][0]["event"]))
    if result["verdict"] == "inconclusive":
        remarks.insert(0, "no answer")
    return [
        linked(library, result),
        claim(result),
        _bounds(result),
        number(result["detectable_epsilon"]),
        f"{result['samples']:,}",
        cell("; ".join(filter(None, remarks)), 300),
    ]


def _bounds(result: dict[str, Any]) -> str:
    rho = f"; ρ ≥ {number(result['rho_lower'])}" if "rho_lower" in result else ""
    return number(result["epsilon_lower"]) + rho

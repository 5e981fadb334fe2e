"""One page about all libraries: what was refuted, with its witness, and what was not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from audit.errors import InputError
from mechanisms.external.results import stored

_LONGEST = 160
_INTRODUCTION = """\
# Audits of libraries

Each call below was audited as its library documents it, in the version named, with the claim
that the library states. A violation is evidence at level {alpha}; "not refuted" is never a proof:
it says how large a loss these runs, on these pairs, bounded from below (ε ≥), and which one they
would have shown. Every name links to its report, which has the datasets, the event and the
command that repeats it. `reproduce.sh` sets up the environment of a library and runs one of its
audits or all. [Findings](findings.md) tells how each violation was checked by hand and with
another seed, and what speaks for the library.

{total} calls of {libraries} libraries: {violations} violations, {kept} not refuted, \
{unanswered} without an answer.
"""


def write_index(folder: Path) -> Path:
    """Write README.md above the folders of libraries.

    Args:
        folder: holds one folder for each library, with its results.

    Raises:
        InputError: there are no results.
    """
    places = (place for place in sorted(folder.iterdir()) if place.is_dir())
    groups = {place.name: found for place in places if (found := stored(place))}
    if not groups:
        raise InputError(f"{str(folder)!r} holds no results; write some with --report", folder)
    path = folder / "README.md"
    path.write_text(_page(groups), "utf-8")
    return path


def _page(groups: dict[str, list[dict[str, Any]]]) -> str:
    results = [result for group in groups.values() for result in group]
    head = _INTRODUCTION.format(
        alpha=results[0]["alpha"],
        total=len(results),
        libraries=len(groups),
        violations=len(_with(results, "violation")),
        kept=len(_with(results, "not-refuted")),
        unanswered=len(_with(results, "inconclusive")),
    )
    return "\n".join([head, *(_library(name, group) for name, group in groups.items())])


def _with(results: Sequence[dict[str, Any]], verdict: str) -> list[dict[str, Any]]:
    return [result for result in results if result["verdict"] == verdict]


def _library(name: str, results: list[dict[str, Any]]) -> str:
    version = results[0]["parameters"]["version"]
    broken = _with(results, "violation")
    rest = _with(results, "not-refuted") + _with(results, "inconclusive")
    parts = [f"## {name} {version}\n"]
    if broken:
        parts.append(_table(_BROKEN, [_violation(name, result) for result in broken]))
    if rest:
        parts.append(_table(_KEPT, [_kept(name, result) for result in rest]))
    return "\n".join(parts)


_BROKEN = (
    "violation",
    "claim",
    "ε ≥",
    "witness",
    "P[E] on each side",
    "cause",
    "known, or warned of",
)
_KEPT = ("not refuted", "claim", "ε ≥", "would have shown", "runs", "remarks")


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [names, [":--"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _violation(library: str, result: dict[str, Any]) -> list[str]:
    witness, told = result["witness"] or {}, result["parameters"]
    direction, event = witness.get("direction", ""), witness.get("event", {})
    odds = (
        f"{witness['p']['estimate']:.3g} : {witness['q']['estimate']:.3g} ({direction})"
        if witness
        else ""
    )
    small = _cell(witness.get("difference", ""))
    return [
        _link(library, result),
        _claim(result),
        _number(result["epsilon_lower"]),
        f"{small}; E: {_cell(event.get('description', ''))}",
        odds,
        _cell(told["cause"], 400),
        _cell("; ".join(filter(None, (told["thread"], told["warned"]))), 400) or "no thread found",
    ]


def _kept(library: str, result: dict[str, Any]) -> list[str]:
    remarks = [result["parameters"]["warned"], result["reason"]]
    if result["leaks"]:
        remarks.append("floating-point leak: " + str(result["leaks"][0]["event"]))
    if result["verdict"] == "inconclusive":
        remarks.insert(0, "no answer")
    return [
        _link(library, result),
        _claim(result),
        _bounds(result),
        _number(result["detectable_epsilon"]),
        f"{result['samples']:,}",
        _cell("; ".join(filter(None, remarks)), 300),
    ]


def _link(library: str, result: dict[str, Any]) -> str:
    name = result["mechanism"]
    return f"[{name}]({library}/{name}.md): {_cell(result['parameters']['call'], 200)}"


def _claim(result: dict[str, Any]) -> str:
    claim = {key: value for key, value in result["claim"].items() if key != "kind"}
    names = {"epsilon": "ε", "delta": "δ", "rho": "ρ"}
    shown = ", ".join(f"{names[key]} = {value:.4g}" for key, value in claim.items() if value)
    return f"{shown}; {result['relation']}"


def _bounds(result: dict[str, Any]) -> str:
    rho = f"; ρ ≥ {_number(result['rho_lower'])}" if "rho_lower" in result else ""
    return _number(result["epsilon_lower"]) + rho


def _number(value: Any) -> str:
    return "–" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def _cell(text: object, longest: int = _LONGEST) -> str:
    shown = str(text).replace("\n", " ").replace("|", "\\|")
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"

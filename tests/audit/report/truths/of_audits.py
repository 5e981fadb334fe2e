"""What was audited, drawn, tried and assumed."""

from __future__ import annotations

import math
import re

import numpy as np

import audit
from audit.report.numerals import read

from ..known_truth import CURVE, DIES_AFTER, LAWLESS, MECHANISMS, UNCOUPLED, Watched
from .rule import bounded, nothing, says, would_show


@says(r"claim: (?P<claim>[^;]+); neighboring datasets differ by one record added or removed")
def _claim(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] == str(seen.result.claim)


@says(r"lower bound: none that counts; claimed is ε = 1")
def _no_bound(found: re.Match[str], seen: Watched) -> None:
    assert seen.name in LAWLESS


@says(r"lower bound: (?P<bounds>.+?), (?:each )?at 99\.9% confidence; claimed is (?P<claim>.+)")
def _bounds(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] == str(seen.result.claim)
    said = re.findall(r"(\S+) ≥ (\S+)", found["bounds"])
    assert len(said) == len(seen.result.levels)
    for symbol, low in said:
        bounded(symbol, low, seen)


@says(
    r"evidence: log e-value (?P<log>\S+), (?:where refuting takes ln\(1/α\) = 6\.91: )?"
    r"(?P<rest>.+)"
)
def _evidence(found: re.Match[str], seen: Watched) -> None:
    log, rest = seen.result.log_evalue, found["rest"]
    assert math.isclose(read(found["log"]), log, rel_tol=0.01, abs_tol=0.01)
    if rest.startswith("which does not count here: "):
        assert seen.name in LAWLESS
        return
    power = re.fullmatch(r"had the claim held, .* with probability at most 1e(-\d+)", rest)
    if power:
        # Ville: a nonnegative supermartingale that starts at 1 ever reaches c with 1/c at most.
        assert log >= math.log(1.0 / seen.result.alpha)
        assert -log / math.log(10) <= int(power[1]) < -log / math.log(10) + 1
        return
    factor = re.fullmatch(
        r"betting multiplied the stake by (\S+) at best, of the 1,000 that refuting takes", rest
    )
    assert factor is not None and log < math.log(1.0 / seen.result.alpha)
    assert read(factor[1]) <= math.exp(log) <= 1.01 * read(factor[1])


@says(r"runs: (?P<n>\S+) in all(?: \((?P<parts>[^)]*)\))?; (?P<how>.+)")
def _runs(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs
    if found["parts"]:
        assert sum(read(n) for n in re.findall(r"([\d,]+) for", found["parts"])) == seen.runs
    shared = found["how"].startswith("both sides of a pair shared")
    assert shared == (seen.name not in UNCOUPLED)


@says(r"failed runs: the first was run (?P<call>\S+): (?P<told>.+)")
def _failed(found: re.Match[str], seen: Watched) -> None:
    first, words = {
        "raises": (1, "ValueError: no records wanted"),
        "dies": (DIES_AFTER + 1, "RuntimeError: the budget is spent"),
    }[seen.name]
    # Either side may be the first to be asked.
    assert first <= read(found["call"]) <= first + 1
    assert words in found["told"]


@says(r"would show: (?P<seen>.+)")
def _would_be_seen(found: re.Match[str], seen: Watched) -> None:
    would_show(found["seen"], seen)


@says(r"tried: (?P<n>\S+) pairs? of datasets: (?P<names>.+)")
def _pairs_tried(found: re.Match[str], seen: Watched) -> None:
    assert (found["n"], found["names"]) == ("1", "D0" if seen.result.null else "D1")


@says(r"tried: (?P<n>\S+) pairs of runs to bet with")
def _pairs_of_runs(found: re.Match[str], seen: Watched) -> None:
    assert 0 < 2 * read(found["n"]) <= seen.result.effort["bets"]


@says(
    r"tried: (?P<n>\S+) events in both directions(?: and (?P<functions>\S+) functions)?, read "
    r"from: (?P<what>.+)"
)
def _events_tried(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) > 0
    claim = seen.result.claim
    assert not found["functions"] or len(claim.divergences(claim.level))
    what = found["what"].split("; ")
    assert "the output" in what or any(part.startswith("output[") for part in what)
    assert "key" in what[0] or seen.name != "raises" or "kind of output" in what


@says(r"tried: no search beyond the given pairs")
def _no_search(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.search is None and seen.result.effort["search"] == 0


@says(r"level: (?P<level>.+)")
def _level(found: re.Match[str], seen: Watched) -> None:
    """How often each statement is wrong is measured in test_confidence."""
    listed = re.findall(r"\((\d)\)", found["level"])
    if seen.name in LAWLESS:
        assert found["level"] == "nothing in this report claims a level"
        return
    assert f"α = {seen.result.alpha:g}" in found["level"]
    if listed:
        assert found["level"].endswith(
            f"any of the {len(listed)} is wrong: at most {len(listed) * seen.result.alpha:.6g}"
        )


@says(
    r"The claim is read as a family of inequalities "
    r"P\[M\(D\) ∈ E\] ≤ e\^x · P\[M\(D′\) ∈ E\] \+ δ\(x\), .*"
)
def _family(found: re.Match[str], seen: Watched) -> None:
    claim = seen.result.claim
    for slope, offset in claim.lines(claim.level).tolist():
        assert claim.delta(math.log(slope)) <= offset + 1e-12


@says(
    r"The claim is a curve, bet on at these rows, which were chosen before any draw: "
    r"(?P<rows>.+); the lower bound is that of a shift s, which moves each row \(ε, δ\) to "
    r"\(max\(0, ε \+ s\), δ\): the smallest with which the mechanism would keep all of them"
)
def _rows(found: re.Match[str], seen: Watched) -> None:
    """The rows are those that were claimed; at another level they are the moved ones."""
    rows, claim = re.findall(r"δ\((\S+)\) = ([^\s,]+)", found["rows"]), seen.result.claim
    assert len(rows) == len(CURVE)
    for (epsilon, delta), (own, truth) in zip(rows, CURVE, strict=True):
        assert math.isclose(read(epsilon), own) and math.isclose(read(delta), truth, rel_tol=1e-2)
    for shift in (-0.7, 0.0, 0.4):
        moved = claim.lines(claim.level + shift)
        for (slope, offset), (own, truth) in zip(moved, CURVE, strict=True):
            assert math.isclose(slope, math.exp(max(0.0, own + shift))) and offset == truth


@says(
    r"A gambler starts with wealth 1 and bets against them: .* multiplies the wealth by 1 \+ "
    r"λ\(1\[M\(D\) ∈ E\] − e\^x · 1\[M\(D′\) ∈ E\] − δ\(x\)\)"
)
def _factor(found: re.Match[str], seen: Watched) -> None:
    """Where the claim holds with equality the factor's mean is 1, and it is never negative."""
    claim = seen.result.claim
    for slope, offset in claim.lines(claim.level).tolist():
        stake = 1.0 / (slope + offset)
        q = np.linspace(0.0, 1.0, 11)
        p = np.minimum(1.0, slope * q + offset)
        assert (1.0 + stake * (p - slope * q - offset) <= 1.0 + 1e-12).all()
        assert 1.0 + stake * (0.0 - slope - offset) >= -1e-12


@says(
    r"The claim also bounds the Rényi divergence (?P<listed>.+): against ε at an order a, "
    r"functions g ≥ 0 of the output are bet on by factors 1 \+ λ\(e\^\(−\(a−1\)ε/a\) · "
    r"g\(M\(D\)\) − g\(M\(D′\)\)\^a′/a′ − 1/a\) with a′ = a/\(a−1\), whose mean is at most 1 by "
    r"Young's inequality; where a is 1, they are "
    r"1 \+ λ\(g\(M\(D\)\) − e\^g\(M\(D′\)\) \+ 1 − ε\) for any bounded g"
)
def _functions(found: re.Match[str], seen: Watched) -> None:
    """Each bracket has a mean of at most 0 for laws whose divergence is the bound."""
    claim = seen.result.claim
    bounds = claim.divergences(claim.level)
    listed = re.findall(r"of order (\S+) by ([^\s,]+)", found["listed"])
    np.testing.assert_allclose([[read(a), read(b)] for a, b in listed], bounds, rtol=1e-3)
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    for a in bounds[:, 0].tolist():
        for g in np.random.default_rng(0).uniform(0.0, 3.0, (200, 3)):
            if a == 1.0:
                kept = float(p @ np.log(p / q))
                assert p @ g - q @ np.exp(g) + 1.0 - kept <= 1e-12
                continue
            dual, kept = a / (a - 1.0), np.log(float(p**a @ q ** (1.0 - a))) / (a - 1.0)
            scale = np.exp(-(a - 1.0) * kept / a)
            assert scale * (p @ g) - q @ g**dual / dual - 1.0 / a <= 1e-12


@says(r"If the claim holds, this wealth is a nonnegative supermartingale, .* by α = 0\.001, .*")
def _ville(found: re.Match[str], seen: Watched) -> None:
    """Measured over thousands of audits in tests/calibration."""
    assert seen.result.alpha == 0.001


@says(
    r"The lower bound is the largest level such that the same draws refute it and every smaller "
    r"one, so it too is wrong with probability at most α"
)
def _closure(found: re.Match[str], seen: Watched) -> None:
    for name, level in seen.result.levels.items():
        assert level <= MECHANISMS[seen.name].levels[name]


@says(
    r"The tables stand beside this for people to check; they decide only for recorded samples, "
    r"which cannot be drawn afresh"
)
def _beside(found: re.Match[str], seen: Watched) -> None:
    assert not seen.result.recorded


@says(
    r"Only the pairs, features and events listed above were looked at; a black box can hide a "
    r"violation in datasets or outputs that no audit of this size meets"
)
def _only_these(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.tried


@says(r"An event so rare that (?P<n>\S+) runs hardly show it refutes nothing")
def _rare(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs


@says(
    r"The guarantee on false alarms, α = 0\.001, assumes that calls of the mechanism are "
    r"independent of each other, given those before; .*"
)
def _assumed(found: re.Match[str], seen: Watched) -> None:
    """Measured with boxes whose runs depend on each other in tests/calibration."""
    assert seen.result.alpha == 0.001


@says(
    r"The verdict is about outputs in real arithmetic; bit patterns of floating-point numbers, "
    r"and channels such as running time or memory, are not part of it"
)
def _real_arithmetic(found: re.Match[str], seen: Watched) -> None:
    for leak in seen.result.leaks:
        assert leak.event != (seen.result.witness and seen.result.witness.event)


@says(
    r"Run again \(seed (?P<seed>\d+), version (?P<version>\S+), level α = (?P<alpha>\S+)\)|"
    r"Seed (?P<seed2>\d+), version (?P<version2>\S+), parameters `\{\}`"
)
def _again(found: re.Match[str], seen: Watched) -> None:
    assert int(found["seed"] or found["seed2"]) == seen.result.seed == 5
    assert (found["version"] or found["version2"]) == audit.__version__
    assert found["alpha"] is None or float(found["alpha"]) == seen.result.alpha


says(
    r"#+ .*|Witness \(D1\)|Audit|Notes|```.*|D1?:|\[.*\]|! .* p on D .*|row: . .* p on D .*|"
    r".*\sp on D\s+q on D[01]\s+p/q\s+q/p"
)(nothing)

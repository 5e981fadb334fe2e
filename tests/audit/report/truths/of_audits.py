"""What was audited, drawn, tried and assumed."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

import audit
from audit.relation import Relation
from audit.report import loss
from audit.report.formatting import read
from audit.verdict.result import Verdict

from ..known_truth import (
    BY_LIVES,
    CURVE,
    DIES_AFTER,
    LAWLESS,
    MAX_SAMPLES,
    MECHANISMS,
    UNCOUPLED,
    Watched,
)
from .rule import bounded, nothing, says


@says(
    r"(?:claim: (?P<claim>[^;]+); |stated: )neighboring datasets differ by one record added or "
    r"removed"
)
def _claim(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] in (None, str(seen.result.claim))
    assert seen.result.relation is Relation.ADD_REMOVE


@says(r"(?:lower bound|Lower bounds measured): none counts; claimed: ε = 1")
def _no_bound(found: re.Match[str], seen: Watched) -> None:
    assert seen.name in (*LAWLESS, "null")


@says(
    r"(?:lower bound|Lower bounds measured): (?P<bounds>.+?) \((?P<each>each )?99\.9% "
    r"confidence\); claimed: (?P<claim>.+)"
)
def _bounds(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] == str(seen.result.claim)
    said = re.findall(r"(\S+) ≥ (\S+)", found["bounds"])
    assert len(said) == len(seen.result.levels)
    assert (found["each"] is not None) == (len(said) > 1)
    for symbol, low in said:
        bounded(symbol, low, seen)


_WEALTH = r"e-value (?P<wealth>\S+?)"


@says(
    rf"(?:tried: )?evidence: (?:p < 1e-(?P<p>\d+) \(anytime-valid; {_WEALTH}; 1,000 refutes the "
    rf"claim\)|{_WEALTH.replace('wealth', 'most')} at most; 1,000 refutes the claim)"
)
def _evidence(found: re.Match[str], seen: Watched) -> None:
    """Ville: a nonnegative supermartingale that starts at 1 ever reaches c with 1/c at most."""
    log = seen.result.log_evalue
    shown = _log(found["wealth"] or found["most"])
    assert shown <= log + 1e-9 <= shown + math.log(10.0) + 1e-9
    assert (found["p"] is not None) == (log >= math.log(1.0 / seen.result.alpha))
    if found["p"]:
        assert -log / math.log(10) <= -int(found["p"]) < -log / math.log(10) + 1


def _log(shown: str) -> float:
    """The logarithm of an e-value, however large it is."""
    digits, power, exponent = shown.replace(",", "").partition("e")
    return math.log(float(digits)) + (int(exponent) * math.log(10.0) if power else 0.0)


@says(rf"evidence: {_WEALTH}, which does not count: .+")
def _not_counted(found: re.Match[str], seen: Watched) -> None:
    assert seen.name in LAWLESS


@says(r"runs: (?P<n>\S+) in all(?: \((?P<parts>[^)]*)\))?")
def _runs(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs
    if found["parts"]:
        assert sum(read(n) for n in re.findall(r"(\d[\d,]*) \w", found["parts"])) == seen.runs


@says(r"randomness: (?P<how>common|independent) random numbers on both datasets of a pair")
def _randomness(found: re.Match[str], seen: Watched) -> None:
    assert (found["how"] == "common") == (seen.name not in UNCOUPLED)


@says(r"[Ff]ailed runs: (?P<told>.+) \(the first: run (?P<call>\S+)\)")
def _failed(found: re.Match[str], seen: Watched) -> None:
    first, words = {
        "raises": (1, "ValueError: no records wanted"),
        "dies": (DIES_AFTER + 1, "RuntimeError: the budget is spent"),
    }[seen.name]
    # Either side may be the first to be drawn.
    assert first <= read(found["call"]) <= first + 1
    assert found["told"].startswith(words)


def _counted_once(found: re.Match[str], seen: Watched) -> None:
    """A unit draws one output at least, on both datasets if it does not toss coins."""
    units = seen.result.units
    assert units is not None and read(found["units"]) == units.count
    assert units.kind == ("life" if seen.name in BY_LIVES else "call")
    coins = MECHANISMS[seen.name].law is None or seen.name in BY_LIVES
    least = 1 if coins else 2
    assert 0 < least * units.count <= seen.result.effort["bets"]


@says(r"made: (?P<n>\S+) runs, (?P<units>\S+) independent units, seed 5(?:, p < 1e-(?P<p>\d+))?")
def _made(found: re.Match[str], seen: Watched) -> None:
    _counted_once(found, seen)
    assert read(found["n"]) == seen.runs
    assert (found["p"] is not None) == (seen.result.verdict is Verdict.VIOLATION)
    if found["p"]:
        assert seen.result.log_evalue >= (int(found["p"]) - 1e-9) * math.log(10.0)


@says(r"tried: (?P<n>\S+) pairs? of datasets: (?P<names>.+)")
def _pairs_tried(found: re.Match[str], seen: Watched) -> None:
    pair = "D0 ([1.0] and [1.0])" if seen.result.null else "D1 ([1.0] and [])"
    assert (found["n"], found["names"]) == ("1", pair)


@says(
    r"units: (?P<units>\S+) independent units in the test, each of one "
    r"(?P<kind>call|fresh instance) or of one on D and one on its neighbor; at the end (?P<n>\S+) "
    r"runs? per (?P=kind)"
)
def _units(found: re.Match[str], seen: Watched) -> None:
    _counted_once(found, seen)
    assert found["kind"] == ("fresh instance" if seen.name in BY_LIVES else "call")
    units = seen.result.units
    assert units is not None and read(found["n"]) == units.n >= 1


@says(r"To test more: assume=\('independent-calls',\) if calls are independent")
def _quicker(_found: re.Match[str], seen: Watched) -> None:
    assert seen.name in BY_LIVES
    assert seen.result.search is None
    assert seen.result.verdict == "not-refuted"


@says(r"[Aa]ssumed: the object holds no noise drawn before the audit; else give factory=")
def _copied(_found: re.Match[str], seen: Watched) -> None:
    """Modules of tests have names that no other process finds, so that functions are copied."""
    assert seen.result.assumptions == ("shared-constructor",)
    assert MECHANISMS[seen.name].mechanism.__defaults__ == ({},)


@says(r"[Aa]ssumed: calls are independent of each other")
def _independent_calls(found: re.Match[str], seen: Watched) -> None:
    """Tests declare it for all audits that are not marked."""
    assert seen.result.assumptions == ("independent-calls",)
    assert seen.name not in BY_LIVES


@says(r"tried: (?P<n>\S+) runs to bet with")
def _runs_to_bet_with(found: re.Match[str], seen: Watched) -> None:
    assert 0 < read(found["n"]) == seen.result.effort["bets"]


@says(
    r"note: no tables were drawn: (?P<left>\S+) of (?P<most>\S+) runs were left, and tables take "
    r"about 40 on each dataset"
)
def _no_tables(found: re.Match[str], seen: Watched) -> None:
    assert not seen.result.pairs and seen.result.effort["tables"] == 0
    most = MECHANISMS[seen.name].options.get("max_samples", MAX_SAMPLES)
    assert read(found["most"]) == most
    assert read(found["left"]) == most - seen.runs
    assert seen.runs > most - 5_000


@says(
    r"note: This report shows records of the given data; share it only with those who may see them."
)
def _given_data(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.given_data


_STRUCTURE = {"keyed": "length of output", "raises": "kind of output"}
"""The feature that refutes a claim without the value of an output."""


@says(
    r"tried: (?P<n>\S+) events(?: and (?P<functions>\S+) functions)? that screening chose"
    r"(?:, read from: (?P<what>.+))?"
)
def _events_tried(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) > 0
    claim = seen.result.claim
    assert not found["functions"] or len(claim.divergences(claim.level))
    if not found["what"]:
        return
    what = found["what"].split("; ")
    if seen.name in _STRUCTURE:
        assert _STRUCTURE[seen.name] in what
    else:
        assert any(re.search(r"\boutput(?:,|\[|$)", part) for part in what)


@says(r"tried: [Nn]o search beyond the given pairs")
def _no_search(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.search is None and seen.result.effort["search"] == 0


@says(
    r"confidence: (?:Each statement holds with 99\.9% confidence; all together with "
    r"(?P<all>\S+)%|(?P<one>(?:The [^;]+ holds|All intervals of the tables hold) with 99\.9% "
    r"confidence)|(?P<none>No statement of this report claims a confidence level))"
)
def _confidence(found: re.Match[str], seen: Watched) -> None:
    """How often each statement is wrong is measured in test_levels."""
    number = len(loss.statements(seen.result))
    assert (found["none"] is not None) == (seen.name in LAWLESS)
    if found["all"]:
        assert math.isclose(float(found["all"]), 100.0 - 0.1 * number)
    else:
        assert number == (0 if found["none"] else 1)


@says(r"statements: (?P<listed>.+)")
def _statements(found: re.Match[str], seen: Watched) -> None:
    listed = found["listed"].split("; ")
    bounds = sum("the lower bound on" in one for one in listed)
    assert bounds == (not seen.result.null) * len(seen.result.levels) + sum(
        leak.epsilon_lower is not None for leak in seen.result.leaks
    )
    assert sum(one == "the privacy profile" for one in listed) == bool(seen.result.curve)
    intervals = sum(one.startswith("the interval of") for one in listed)
    witness = seen.result.witness
    assert intervals == (0 if witness is None else 2 if witness.function is None else 3)
    assert sum(one == "all intervals of the tables" for one in listed) == bool(seen.result.pairs)


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
    r"\(max\(0, ε \+ s\), δ\): the smallest with which the mechanism would keep all of them\."
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
    r"A sequential test by betting starts with wealth 1\. .* multiplies the wealth by 1 \+ "
    r"λ\(p̂ − e\^x · q̂ − δ\(x\)\), where p̂ and q̂ are the shares of its outputs in E on D and on D′\."
)
def _factor(found: re.Match[str], seen: Watched) -> None:
    """If the claim holds with equality the factor's mean is 1, and it is never negative."""
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
    r"Young's inequality; if a is 1, they are "
    r"1 \+ λ\(g\(M\(D\)\) − e\^g\(M\(D′\)\) \+ 1 − ε\) for any bounded g\."
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


@says(r"If the claim holds, this wealth is an e-process: .* by α = 0\.001, .*")
def _ville(found: re.Match[str], seen: Watched) -> None:
    """Measured over thousands of audits in tests/calibration."""
    assert seen.result.alpha == 0.001


@says(
    r"The lower bound is the largest level such that the same runs refute it and every smaller "
    r"one, so it is wrong with probability at most α\."
)
def _closure(found: re.Match[str], seen: Watched) -> None:
    for name, level in seen.result.levels.items():
        assert level <= MECHANISMS[seen.name].levels[name]


@says(
    r"limit: Not refuted is no proof: a smaller excess, other datasets or rarer outputs may have "
    r"been missed\."
)
def _no_proof(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED


@says(
    r"limit: Only the pairs, features and events above were tested; a black box can hide a "
    r"violation in datasets or outputs that no audit of this size meets\."
)
def _only_these(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.tried


@says(r"limit: An event too rare for (?P<n>\S+) runs refutes nothing\.")
def _rare(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs


@says(
    r"limit: The bound on false alarms, α = 0\.001, assumes that what counts once in the evidence "
    r"is independent of everything before it\."
)
def _assumed(found: re.Match[str], seen: Watched) -> None:
    """Measured with boxes whose runs depend on each other in tests/calibration."""
    assert seen.result.alpha == 0.001


@says(
    r"limit: The likely cause is a description without a confidence level; check it against the "
    r"code\."
)
def _descriptive(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.diagnosis is not None


@says(r"limit: One flaw can hide another: audit again after the fix\.")
def _hidden(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.VIOLATION and not seen.result.null


@says(
    r"limit: The verdict is about outputs in real arithmetic; low-order bits of floating-point "
    r"numbers, running time and memory are not part of it\."
)
def _real_arithmetic(found: re.Match[str], seen: Watched) -> None:
    for leak in seen.result.leaks:
        assert leak.event != (seen.result.witness and seen.result.witness.event)


@says(r"seed: (?P<seed>\d+)|version: (?P<version>\S+)|parameters: \{\}|command: ")
def _again(found: re.Match[str], seen: Watched) -> None:
    assert found["seed"] is None or int(found["seed"]) == seen.result.seed == 5
    assert found["version"] in (None, audit.__version__)
    assert (seen.result.command, seen.result.parameters) == ("", {})


@says(r"finished: (?P<at>\S+), after (?P<seconds>\S+) seconds")
def _finished(found: re.Match[str], seen: Watched) -> None:
    assert found["at"] == seen.result.finished
    assert read(found["seconds"]) <= 1.01 * (seen.ended - seen.began).total_seconds() + 0.01


@says(r"code: (?P<file>\S+):(?P<line>\d+)")
def _code(found: re.Match[str], seen: Watched) -> None:
    """The line of the mechanism's code, or of its decorator."""
    lines = Path(found["file"]).read_text("utf-8").splitlines()
    assert re.search(r"def |class |@|lambda", lines[int(found["line"]) - 1])


@says("called: from Python: repeat the call with this seed")
def _called(found: re.Match[str], seen: Watched) -> None:
    assert not seen.result.command


@says(r"(?P<what>[A-Z][^:]+): not examined")
def _not_examined(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.times is None


@says(r"Low-order bits of floating-point outputs: examined(?P<rest>.*)")
def _low_bits(found: re.Match[str], seen: Watched) -> None:
    assert (found["rest"] == ": they reveal the input") == bool(seen.result.leaks)


@says(
    r"Low-order bits of floating-point outputs: none in these runs: no output held a float that is "
    r"no whole number"
)
def _no_low_bits(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.no_fractions and not seen.result.leaks


@says(r"Trust in the implementation: (?P<what>.+)")
def _trust(found: re.Match[str], seen: Watched) -> None:
    assert ("refuted" in found["what"] and "not refuted" not in found["what"]) == (
        seen.result.verdict is Verdict.VIOLATION
    )


@says(r"Privacy parameters claimed: (?P<claim>.+)")
def _parameters(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] == str(seen.result.claim)


says(
    r"Questions of NIST SP 800-226 .*|Details: result\.to_markdown\(\)|Unit of privacy, "
    r"neighboring datasets: one record: added or removed \(unbounded neighbors\)|Failures, missing "
    r"and special values as outputs: examined: .*"
)(nothing)

"""Every sentence of a report beside what makes it true, for mechanisms whose laws are known.

A sentence that no rule knows is an error: whoever adds one says here when it is true.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import binom

from audit.report.numerals import read
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult, Verdict, Witness

from .known_truth import CERTAIN, MECHANISMS, Watched, truth_of

Check = Callable[[re.Match[str], Watched], None]
RULES: list[tuple[re.Pattern[str], Check]] = []
_CHANCE = 1e-9
"""How seldom a count may lie so far from its mean."""
_N = r"[\d.,e+-]+|∞"
_NUMBERS = rf"({_N}) \[({_N}), ({_N})\]"
_BOUND_NAMES = {"ε": "epsilon_lower", "ρ": "rho_lower", "μ": "mu_lower"}


def says(pattern: str) -> Callable[[Check], Check]:
    """Register what makes a sentence of this form true."""

    def keep(check: Check) -> Check:
        RULES.append((re.compile(pattern), check))
        return check

    return keep


def hold(sentence: str, seen: Watched) -> None:
    """Check one sentence.

    Raises:
        AssertionError: it is not true, or nobody has said when it would be.
    """
    for pattern, check in RULES:
        if found := pattern.fullmatch(sentence):
            check(found, seen)
            return
    raise AssertionError(f"no rule knows when this is true: {sentence!r}")


def chances(seen: Watched, witness: Witness) -> tuple[float, float]:
    """The true probabilities of the witness' event, first where it is likelier."""
    if seen.name in CERTAIN:
        assert witness.event.description in _EXACT[seen.name]
        return 1.0, 0.0
    return truth_of(seen.name, witness)


_EXACT = {
    "exact": ("the output is exactly 1",),
    "raises": ("the mechanism raises ValueError",),
    "keyed": ("key 'rare' is present",),
}


def _likely(count: int, of: int, chance: float) -> None:
    low, high = binom.ppf(_CHANCE, of, chance), binom.isf(_CHANCE, of, chance)
    assert low <= count <= high, (count, of, chance)


def _witness(result: AuditResult) -> Witness:
    assert result.witness is not None
    return result.witness


def _nothing(found: re.Match[str], seen: Watched) -> None:
    """A heading: it says nothing."""


def _violator(seen: Watched) -> bool:
    own = {"zcdp": "rho_lower", "gaussian": "mu_lower"}.get(seen.result.claim.kind, "epsilon_lower")
    return MECHANISMS[seen.name].levels[own] > seen.result.claim.level


def _bounded(symbol: str, shown: str, seen: Watched) -> None:
    """A lower bound: no larger than the result's, and than the truth."""
    name = _BOUND_NAMES[symbol]
    assert read(shown) <= seen.result.levels[name] <= MECHANISMS[seen.name].levels[name]
    assert read(shown) >= 0.99 * seen.result.levels[name] - 1e-9


# The verdict


@says(r"VIOLATION: (?P<name>.+?)(?: breaks (?P<claim>.+?)|, )(?:: )?at least (?P<s>.) = (?P<low>\S+)"
      r"(?: at δ = (?P<delta>\S+))?, where . = (?P<level>\S+) is claimed(?P<rest>\. .*)?")
def _a_violation(found: re.Match[str], seen: Watched) -> None:
    result = seen.result
    assert found["name"] == seen.name
    assert _violator(seen) and result.verdict is Verdict.VIOLATION
    assert found["claim"] in (None, str(result.claim))
    assert read(found["level"]) == result.claim.level < read(found["low"])
    assert found["delta"] is None or read(found["delta"]) == MECHANISMS[seen.name].claim["delta"]
    _bounded(found["s"], found["low"], seen)
    if found["rest"]:
        _odds(found["rest"].removeprefix(". ").removesuffix("."), seen)


_SHARES = re.compile(
    r"(?P<event>.+) in (?P<p>\S+) of (?P<n>\S+) fresh runs on D and in (?P<q>\S+) of (?P=n) on D1"
    r"(?:: (?P<none>no finite ε is in sight)|; (?P<allowed>.*))"
)
_ALLOWED = re.compile(
    r"the claim allows it at most (?:(\S+) times )?as often on D as on D1(?:, plus (\S+)% of runs)?"
)


def _odds(said: str, seen: Watched) -> None:
    found, witness = _SHARES.fullmatch(said), _witness(seen.result)
    if found is None:
        assert said.startswith(("Bets won on this event, on D more", "Of "))
        assert not witness.separated
        return
    assert found["event"].lower() == _event_words(witness).lower()
    true_p, true_q = chances(seen, witness)
    shares = [_share(found["p"]), _share(found["q"])]
    for share, truth in zip(shares, (true_p, true_q), strict=True):
        _likely(round(share * witness.draws), witness.draws, truth)
    assert read(found["n"]) == witness.draws
    if found["none"]:
        assert math.isinf(MECHANISMS[seen.name].levels["epsilon_lower"])
        return
    allowed = _ALLOWED.fullmatch(found["allowed"])
    assert allowed is not None
    slope, offset = read(allowed[1] or "1"), float(allowed[2] or 0.0) / 100.0
    assert slope >= witness.slope * (1 - 1e-12) and offset >= witness.offset * (1 - 1e-12)
    assert shares[0] > slope * shares[1] + offset and true_p > witness.slope * true_q


def _share(said: str) -> float:
    return {"all": 1.0, "none": 0.0}[said] if said.isalpha() else float(said.rstrip("%")) / 100.0


def _event_words(witness: Witness) -> str:
    return re.sub(r"\d+\.\d{7,}", lambda d: f"{float(d[0]):.6g}", witness.event.description)


@says(r"NOT REFUTED: (?P<n>\S+) runs of (?P<name>.+?) did not break (?P<claim>.+?)\. "
      r"This is not a proof that it holds: (?P<seen>.*?)\.?")
def _not_refuted(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs
    assert seen.result.verdict is Verdict.NOT_REFUTED
    assert (found["name"], found["claim"]) == (seen.name, str(seen.result.claim))
    _would_show(found["seen"], seen)


@says(r"NOT REFUTED: (?P<name>.+?), (?P<s>.) ≥ (?P<low>\S+?), at 99\.9% confidence; claimed is .+")
def _not_refuted_at_the_end(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED and found["name"] == seen.name
    _bounded(found["s"], found["low"], seen)


@says(r"NOT REFUTED, as it should be: (?P<n>\S+) runs of null on one dataset, audited against "
      r"itself, showed no difference beyond chance\.?|NOT REFUTED: null against itself")
def _null(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.null and seen.result.verdict is Verdict.NOT_REFUTED
    assert found["n"] is None or read(found["n"]) == seen.runs


_FLOOR = (
    r"even an event that is certain on D and impossible on its neighbor takes (?P<runs>\S+) runs "
    r"to bet with on its own pair; give about --max-samples (?P<wanted>\d+)"
)


def _too_few(found: re.Match[str], seen: Watched) -> None:
    """Wealth grows by ln(1 + λ(1 − 0)) a pair at most, λ = e^-ε: fewer pairs never suffice."""
    least = 2.0 * math.log(1.0 / seen.result.alpha) / math.log1p(math.exp(-seen.result.claim.level))
    assert seen.result.verdict is Verdict.INCONCLUSIVE
    assert least <= read(found["runs"]) <= int(found["wanted"])
    assert seen.runs < least


@says(rf"INCONCLUSIVE: (?P<n>\S+) runs could not have refuted ε = 12 reliably, whatever too few "
      rf"does; {_FLOOR}\.?")
def _inconclusive(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs
    _too_few(found, seen)


says(rf"needed: {_FLOOR}")(_too_few)
says(r"This audit says nothing about the claim of ε = 12, neither for it nor against it\. To get an "
     rf"answer: {_FLOOR}")(_too_few)


@says(r"INCONCLUSIVE: too few, ε = 12: too few runs")
def _inconclusive_at_the_end(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.INCONCLUSIVE and seen.runs < 2 * math.exp(12.0)


@says(r"The mechanism does not keep its claim of (?P<claim>.+?): its outputs tell two neighboring "
      r"datasets apart .* with probability at most 0\.1%\. The example below can be run again and "
      r"checked by hand")
def _answer(found: re.Match[str], seen: Watched) -> None:
    assert _violator(seen) and found["claim"] == str(seen.result.claim)
    assert seen.result.alpha == 0.001


@says(r"This audit tried to break the claim of ε = 1 and did not succeed\. That does not show that "
      r"the claim holds: .*? What would have been seen: (?P<seen>.*)")
def _answer_not_refuted(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED and not seen.result.null
    _would_show(found["seen"], seen)


@says(r"The mechanism was audited against itself on one dataset, where there is nothing to find, "
      r"and nothing was found\. This checks the audit, not the mechanism")
def _answer_null(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.null and seen.result.log_evalue < math.log(1.0 / seen.result.alpha)


@says(r"Hint: on D nearly every run fails\. .*")
def _hint_of_failures(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "raises"


@says(r"Hint: the loss grows towards the tail of the outputs, as under Gaussian noise, .* "
      r"this event takes a δ of about (?P<delta>\S+?)\.?")
def _hint_of_a_delta(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "gaussian"
    true_p, true_q = chances(seen, _witness(seen.result))
    assert math.isclose(read(found["delta"]), true_p - math.e * true_q, abs_tol=0.05)


# The witness


@says(r"Two neighboring datasets and an event E whose odds break the claim: (?P<how>.+)\. The "
      r"intervals of p and q are Clopper-Pearson intervals of 99\.9% each")
def _odds_break(found: re.Match[str], seen: Watched) -> None:
    witness = _witness(seen.result)
    true_p, true_q = chances(seen, witness)
    assert true_p > witness.slope * true_q + witness.offset
    assert found["how"] == witness.difference


@says(r"(?P<side>D|D1): (?P<data>\[.*\])")
def _dataset(found: re.Match[str], seen: Watched) -> None:
    assert json.loads(found["data"]) == {"D": [1.0], "D1": []}[found["side"]]


@says(r"difference: (?P<how>.+)")
def _difference(found: re.Match[str], seen: Watched) -> None:
    assert found["how"] == "without one record 1.0"


@says(r"event E: (?P<event>.+)")
def _event(found: re.Match[str], seen: Watched) -> None:
    assert found["event"] == _event_words(_witness(seen.result))


@says(rf"(?P<side>[pq]) on (?:D1?): {_NUMBERS}(?:\s+(?P<bar>[█░]*))?")
def _estimate(found: re.Match[str], seen: Watched) -> None:
    """Each misses with probability alpha; seeds are fixed."""
    witness = _witness(seen.result)
    truth = dict(zip("pq", chances(seen, witness), strict=True))[found["side"]]
    estimate, low, high = (read(found[place]) for place in (2, 3, 4))
    assert low <= truth <= high and low <= estimate <= high
    if found["bar"] and found["side"] == "p":
        assert found["bar"].count("█") > 0


@says(r"allowed: p (?:up to|=) (?P<most>\S+)(?:\s+│?\s*(?:\(bars reach to \S+\))?)?")
def _allowed(found: re.Match[str], seen: Watched) -> None:
    witness = _witness(seen.result)
    most = min(1.0, witness.slope * witness.q.high + witness.offset)
    assert most <= read(found["most"]) <= 1.01 * most


@says(r"claim: p ≤ (?:e\^(?P<power>\S+) )?q(?: \+ (?P<offset>\S+))?(?: = (?P<slope>\S+) q.*)?")
def _broken_line(found: re.Match[str], seen: Watched) -> None:
    witness, claim = _witness(seen.result), seen.result.claim
    slope = math.exp(float(found["power"] or 0.0))
    assert math.isclose(slope, witness.slope, rel_tol=1e-5)
    assert found["slope"] is None or slope <= read(found["slope"]) * (1 + 1e-9)
    offset = float(found["offset"] or 0.0)
    assert claim.delta(math.log(slope)) <= offset * (1 + 1e-6) + 1e-12


@says(r"draws: (?P<n>\S+) fresh runs on each side(?: behind p and q)?; in (?P<pairs>\S+) pairs of "
      r"runs bet on, E happened (?P<p>\S+) times on D and (?P<q>\S+) times on D1")
def _draws(found: re.Match[str], seen: Watched) -> None:
    witness = _witness(seen.result)
    assert 2 * read(found["n"]) <= seen.result.effort["witness"]
    pairs = int(read(found["pairs"]))
    assert 2 * pairs <= seen.result.effort["bets"]
    for shown, truth in zip("pq", chances(seen, witness), strict=True):
        _likely(int(read(found[shown])), pairs, truth)


@says(r"strongest: (?P<event>.+): (?P<more>\S+) times on (?P<first>D1?) and (?P<less>\S+) on D1? in "
      r"(?P<n>\S+) pairs of runs bet on")
def _strongest(found: re.Match[str], seen: Watched) -> None:
    witness = _witness(seen.result)
    assert witness.strongest is not None
    true = chances(seen, replace(witness, event=witness.strongest.event))
    # The witness' sides stand in the order of its own direction.
    if not witness.direction.startswith(f"{found['first']} over"):
        true = true[::-1]
    for shown, truth in zip(("more", "less"), true, strict=True):
        _likely(int(read(found[shown])), int(read(found["n"])), truth)


# Leaks


@says(r"LEAK \(floating-point\), beside the verdict, which is about real arithmetic: whether the "
      r"output is no multiple of 2\^-(?P<k>\d+) \(on D1: .*\) tells the datasets apart \(log e-value "
      r"(?P<log>\S+), a wealth of its own\)\.?")
def _leak(found: re.Match[str], seen: Watched) -> None:
    """Drawn here again: the bits do tell them apart more clearly than the claim allows."""
    shares = [_on_the_grid(seen.name, total, int(found["k"])) for total in (1.0, 0.0)]
    claim, draws = seen.result.claim, 20_000
    lines = claim.lines(claim.level)
    noise = 5.0 / math.sqrt(draws)
    assert any(
        (here - noise > a * (there + noise) + b).any()
        for here, there in (shares, shares[::-1], [1 - s for s in shares], [1 - s for s in shares][::-1])
        for a, b in lines.tolist()
    )
    assert read(found["log"]) >= math.log(1.0 / seen.result.alpha)


def _on_the_grid(name: str, total: float, k: int) -> Any:
    data = np.full(int(total), 1.0)
    rng = np.random.default_rng(77)
    outputs = MECHANISMS[name].mechanism(data, rng, 20_000)
    return np.mean(np.ldexp(outputs, k) == np.floor(np.ldexp(outputs, k)))


@says(r"(?:it means|it concerns|what to do|ignore it): .+")
def _advice(found: re.Match[str], seen: Watched) -> None:
    """Literature, cited beside the words; only said where there is a leak."""
    assert seen.result.leaks


# The audit


@says(r"claim: (?P<claim>[^;]+); neighboring datasets differ by one record added or removed")
def _claim(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] == str(seen.result.claim)


@says(r"lower bound: (?P<bounds>.+?), (?:each )?at 99\.9% confidence; claimed is (?P<claim>.+)")
def _bounds(found: re.Match[str], seen: Watched) -> None:
    assert found["claim"] == str(seen.result.claim)
    said = re.findall(r"(\S+) ≥ (\S+)", found["bounds"])
    assert len(said) == len(seen.result.levels)
    for symbol, low in said:
        _bounded(symbol, low, seen)


@says(r"evidence: log e-value (?P<log>\S+), where refuting takes ln\(1/α\) = 6\.91: (?P<rest>.+)")
def _evidence(found: re.Match[str], seen: Watched) -> None:
    log, rest = seen.result.log_evalue, found["rest"]
    assert math.isclose(read(found["log"]), log, rel_tol=0.01, abs_tol=0.01)
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
    assert shared == (seen.name not in ("exact", "raises", "too few", "null"))


@says(r"failed runs: the first was run (?P<call>\S+): (?P<told>.+)")
def _failed(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "raises" and read(found["call"]) <= 2
    assert "ValueError" in found["told"] and "no records wanted" in found["told"]


@says(r"would show: (?P<seen>.+)")
def _would_be_seen(found: re.Match[str], seen: Watched) -> None:
    _would_show(found["seen"], seen)


def _would_show(said: str, seen: Watched) -> None:
    """That so much would be seen so often is measured in test_power."""
    found = re.fullmatch(
        r"had the most telling of the events looked at been (\S+) times \(e\^(\S+)\) as likely on one "
        r"side as on the other, .* with probability 0\.9",
        said,
    )
    assert found is not None and seen.result.detectable_epsilon is not None
    assert read(found[2]) >= seen.result.detectable_epsilon
    assert read(found[1]) >= math.exp(seen.result.detectable_epsilon)
    assert seen.result.null or read(found[2]) > seen.result.claim.level


@says(r"tried: (?P<n>\S+) pairs? of datasets: (?P<names>.+)")
def _pairs_tried(found: re.Match[str], seen: Watched) -> None:
    assert (found["n"], found["names"]) == ("1", "D0" if seen.result.null else "D1")


@says(r"tried: (?P<n>\S+) pairs of runs to bet with")
def _pairs_of_runs(found: re.Match[str], seen: Watched) -> None:
    assert 0 < 2 * read(found["n"]) <= seen.result.effort["bets"]


@says(r"tried: (?P<n>\S+) events in both directions, read from: (?P<what>.+)")
def _events_tried(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) > 0
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
    assert f"α = {seen.result.alpha:g}" in found["level"]
    if listed:
        assert found["level"].endswith(
            f"any of the {len(listed)} is wrong: at most {len(listed) * seen.result.alpha:.6g}"
        )


# Tables


def _table(seen: Watched) -> PairTable:
    (table,) = seen.result.pairs
    return table


@says(r"(?:D1: without one record 1\.0|D0: the same dataset) \((?P<caption>.+)\)")
def _title(found: re.Match[str], seen: Watched) -> None:
    hold(found["caption"], seen)


@says(rf"tables: D[01]: largest ratio (?P<name>p/q|q/p) = {_NUMBERS} at .+")
def _largest_alone(found: re.Match[str], seen: Watched) -> None:
    _true_ratio(found["name"], [read(found[place]) for place in (2, 3, 4)], seen)


@says(rf"(?P<draws>.+?); largest ratio (?P<name>p/q|q/p) = {_NUMBERS} at [^;]+; (?P<flags>.+)")
def _caption(found: re.Match[str], seen: Watched) -> None:
    table = _table(seen)
    assert found["draws"] == f"{table.draws[0]:,} runs on each side"
    assert sum(table.draws) <= seen.result.effort["tables"]
    _true_ratio(found["name"], [read(found[place]) for place in (3, 4, 5)], seen)
    flagged = [cell for cell in table.bins if cell.flagged]
    assert ("marked !" in found["flags"]) == bool(flagged)


def _true_ratio(name: str, shown: list[float], seen: Watched) -> None:
    """Some bin has that estimate; its true ratio lies in the interval."""
    ratios = [c.ratio if name == "p/q" else c.reverse for c in _table(seen).bins]
    places = [i for i, r in enumerate(ratios) if _close(r.estimate, shown[0])]
    assert any(_within(_true(seen, _table(seen).bins[i]), name, shown) for i in places)


def _close(value: float, shown: float) -> bool:
    return value == shown or math.isclose(value, shown, rel_tol=0.006)


def _within(truth: tuple[float, float], name: str, shown: list[float]) -> bool:
    over, under = truth if name == "p/q" else truth[::-1]
    ratio = over / under if under else math.inf
    return shown[1] <= ratio <= shown[2]


def _true(seen: Watched, cell: Bin) -> tuple[float, float]:
    """The true probabilities of a bin on D and on its neighbor."""
    law = MECHANISMS[seen.name].law
    neighbor = 1.0 if seen.result.null else 0.0
    if law is None:
        here = _certain(seen.name, cell)
        return float(here), float(not here)
    assert cell.low is not None and cell.high is not None
    first, second = (
        _mass(law(total), cell.low, cell.high) for total in (1.0, neighbor)
    )
    return first, second


def _mass(cdf: Callable[[float], float], low: float, high: float) -> float:
    ends = [0.0 if e == -math.inf else 1.0 if e == math.inf else cdf(math.nextafter(e, -math.inf))
            for e in (low, high)]
    return ends[1] - ends[0]


def _certain(name: str, cell: Bin) -> bool:
    """Whether the bin is that of D's only output."""
    if name in ("exact", "too few"):
        return cell.low is not None and cell.high is not None and cell.low <= 1.0 < cell.high
    shown = "raised" if name == "raises" else "= 1"
    return shown in cell.label


@says(rf"row: (?P<flag>.) (?P<bin>.+?)\s{{2,}}{_NUMBERS}\s+{_NUMBERS}\s+{_NUMBERS}\s+{_NUMBERS}")
def _row(found: re.Match[str], seen: Watched) -> None:
    """All intervals of a table hold together with probability 1 - alpha; seeds are fixed."""
    shown = [[read(found[3 + 3 * k + j]) for j in range(3)] for k in range(4)]
    cells = [
        cell for cell in _table(seen).bins
        if _close(cell.p.estimate, shown[0][0]) and _close(cell.q.estimate, shown[1][0])
    ]
    assert cells
    held = False
    for cell in cells:
        p, q = _true(seen, cell)
        held |= (
            shown[0][1] <= p <= shown[0][2]
            and shown[1][1] <= q <= shown[1][2]
            and _within((p, q), "p/q", shown[2])
            and _within((p, q), "q/p", shown[3])
            and (found["flag"] == "!") == cell.flagged
        )
        if cell.flagged:
            a, b = seen.result.claim.lines(seen.result.claim.level).T
            assert (p > a * q + b).any() or (q > a * p + b).any()
    assert held


@says(r"Relative frequencies p on D and q on the neighbor with Clopper-Pearson intervals, and their "
      r"ratios both ways\. All intervals of all tables hold together with probability at least 99\.9%")
def _all_hold(found: re.Match[str], seen: Watched) -> None:
    for cell in _table(seen).bins:
        p, q = _true(seen, cell)
        assert cell.p.low <= p <= cell.p.high and cell.q.low <= q <= cell.q.high


@says(r"No bin of D[01] breaks the claim on its own\. That is weak evidence for it: .*")
def _quiet(found: re.Match[str], seen: Watched) -> None:
    assert not any(cell.flagged for cell in _table(seen).bins)
    assert seen.result.verdict is not Verdict.VIOLATION


# The method


@says(r"The claim is read as a family of inequalities P\[M\(D\) ∈ E\] ≤ e\^x · P\[M\(D′\) ∈ E\] \+ δ\(x\), .*")
def _family(found: re.Match[str], seen: Watched) -> None:
    claim = seen.result.claim
    for slope, offset in claim.lines(claim.level).tolist():
        assert claim.delta(math.log(slope)) <= offset + 1e-12


@says(r"A gambler starts with wealth 1 and bets against them: .* multiplies the wealth by 1 \+ "
      r"λ\(1\[M\(D\) ∈ E\] − e\^x · 1\[M\(D′\) ∈ E\] − δ\(x\)\)")
def _factor(found: re.Match[str], seen: Watched) -> None:
    """Where the claim holds with equality the factor's mean is 1, and it is never negative."""
    claim = seen.result.claim
    for slope, offset in claim.lines(claim.level).tolist():
        stake = 1.0 / (slope + offset)
        q = np.linspace(0.0, 1.0, 11)
        p = np.minimum(1.0, slope * q + offset)
        assert (1.0 + stake * (p - slope * q - offset) <= 1.0 + 1e-12).all()
        assert 1.0 + stake * (0.0 - slope - offset) >= -1e-12


@says(r"If the claim holds, this wealth is a nonnegative supermartingale, .* by α = 0\.001, .*")
def _ville(found: re.Match[str], seen: Watched) -> None:
    """Measured over thousands of audits in tests/calibration."""
    assert seen.result.alpha == 0.001


@says(r"The lower bound is the largest level such that the same draws refute it and every smaller "
      r"one, so it too is wrong with probability at most α")
def _closure(found: re.Match[str], seen: Watched) -> None:
    for name, level in seen.result.levels.items():
        assert level <= MECHANISMS[seen.name].levels[name]


@says(r"The tables stand beside this for people to check; they decide only for recorded samples, "
      r"which cannot be drawn afresh")
def _beside(found: re.Match[str], seen: Watched) -> None:
    assert not seen.result.recorded


# Limits


@says(r"Only the pairs, features and events listed above were looked at; a black box can hide a "
      r"violation in datasets or outputs that no audit of this size meets")
def _only_these(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.tried


@says(r"An event so rare that (?P<n>\S+) runs hardly show it refutes nothing")
def _rare(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs


@says(r"The guarantee on false alarms, α = 0\.001, assumes that calls of the mechanism are "
      r"independent of each other, given those before; .*")
def _assumed(found: re.Match[str], seen: Watched) -> None:
    """Measured with boxes whose runs depend on each other in tests/calibration."""
    assert seen.result.alpha == 0.001


@says(r"The verdict is about outputs in real arithmetic; bit patterns of floating-point numbers, and "
      r"channels such as running time or memory, are not part of it")
def _real_arithmetic(found: re.Match[str], seen: Watched) -> None:
    for leak in seen.result.leaks:
        assert leak.event != (seen.result.witness and seen.result.witness.event)


# What reproduces it


@says(r"Run again \(seed (?P<seed>\d+), version (?P<version>\S+), level α = (?P<alpha>\S+)\)|"
      r"Seed (?P<seed2>\d+), version (?P<version2>\S+), parameters `\{\}`")
def _again(found: re.Match[str], seen: Watched) -> None:
    import audit

    assert int(found["seed"] or found["seed2"]) == seen.result.seed == 5
    assert (found["version"] or found["version2"]) == audit.__version__
    assert found["alpha"] is None or float(found["alpha"]) == seen.result.alpha


says(r"#+ .*|Witness \(D1\)|Audit|Notes|```.*|D1?:|\[.*\]|! .* p on D .*|row: . .* p on D .*|"
     r".*\sp on D\s+q on D[01]\s+p/q\s+q/p")(_nothing)

"""Witnesses and leaks."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np

from audit.report.numerals import read

from ..known_truth import MECHANISMS, Watched
from .rule import (
    NUMBERS,
    chances,
    event_words,
    likely,
    other_mean,
    says,
    symbols,
    witness_of,
)


@says(
    r"Two neighboring datasets and an event E whose odds break the claim: (?P<how>.+)\. The "
    r"intervals of p and q are Clopper-Pearson intervals of 99\.9% each"
)
def _odds_break(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    true_p, true_q = chances(seen, witness)
    assert true_p > witness.slope * true_q + witness.offset
    assert found["how"] == witness.difference


@says(
    r"Two neighboring datasets and a function h of the output whose means break the claim, "
    r"which bounds their Rényi divergence of order (?P<order>\S+): (?P<how>.+)\. The intervals "
    r"of p and q are empirical Bernstein intervals of 99\.9% each"
)
def _means_break(found: re.Match[str], seen: Watched) -> None:
    witness, claim = witness_of(seen.result), seen.result.claim
    true_p, true_q = chances(seen, witness)
    assert true_p > witness.slope * true_q + witness.offset
    assert found["how"] == witness.difference
    assert read(found["order"]) in claim.divergences(claim.level)[:, 0]


@says(r"function h: (?P<event>.+)")
def _function(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert witness.function is not None
    assert found["event"] == event_words(witness)
    for low, high in witness.event.parameters["intervals"]:
        assert all(
            value >= 0.5
            for start, stop, value in witness.function.steps
            if start >= float(low) and stop <= float(high)
        )


@says(r"(?P<side>D|D1): (?P<data>\[.*\])")
def _dataset(found: re.Match[str], seen: Watched) -> None:
    assert json.loads(found["data"]) == {"D": [1.0], "D1": []}[found["side"]]


@says(r"difference: (?P<how>.+)")
def _difference(found: re.Match[str], seen: Watched) -> None:
    assert found["how"] == "without one record 1.0"


@says(r"event E: (?P<event>.+)")
def _event(found: re.Match[str], seen: Watched) -> None:
    assert found["event"] == event_words(witness_of(seen.result))


@says(rf"(?P<side>[pq]) (?:= mean of .+ )?on (?:D1?): {NUMBERS}(?:\s+(?P<bar>[█░]*))?")
def _estimate(found: re.Match[str], seen: Watched) -> None:
    """Each misses with probability alpha; seeds are fixed."""
    witness = witness_of(seen.result)
    truth = dict(zip(symbols(witness), chances(seen, witness), strict=True))[found["side"]]
    estimate, low, high = (read(found[place]) for place in (2, 3, 4))
    assert low <= truth <= high and low <= estimate <= high
    if found["bar"] and found["side"] == "p":
        assert found["bar"].count("█") > 0


@says(r"allowed: [pq] (?:up to|=) (?P<most>\S+)(?:\s+│?\s*(?:\(bars reach to \S+\))?)?")
def _allowed(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    most = min(1.0, witness.slope * witness.q.high + witness.offset)
    assert most <= read(found["most"]) <= 1.01 * most


@says(r"claim: p ≤ (?:e\^(?P<power>\S+) )?q(?: \+ (?P<offset>\S+))?(?: = (?P<slope>\S+) q.*)?")
def _broken_line(found: re.Match[str], seen: Watched) -> None:
    witness, claim = witness_of(seen.result), seen.result.claim
    slope = math.exp(float(found["power"] or 0.0))
    assert math.isclose(slope, witness.slope, rel_tol=1e-5)
    assert found["slope"] is None or slope <= read(found["slope"]) * (1 + 1e-9)
    offset = float(found["offset"] or 0.0)
    assert claim.delta(math.log(slope)) <= offset * (1 + 1e-6) + 1e-12


@says(r"claim: (?P<more>[pq]) ≤ (?P<slope>\S+) [pq] (?P<sign>[+-]) (?P<offset>\S+)")
def _broken_means(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert witness.function is not None
    assert found["more"] == symbols(witness)[0]
    assert math.isclose(read(found["slope"]), witness.slope, rel_tol=1e-2)
    offset = read(found["offset"]) * (1 if found["sign"] == "+" else -1)
    assert math.isclose(offset, witness.offset, rel_tol=1e-2)


@says(
    r"draws: (?P<n>\S+) fresh runs on each side behind p and q; the mean of h itself on D1? is "
    rf"{NUMBERS}"
)
def _draws_of_a_function(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert 2 * read(found["n"]) <= seen.result.effort["witness"]
    estimate, low, high = (read(found[place]) for place in (2, 3, 4))
    assert low <= other_mean(seen, witness) <= high and low <= estimate <= high


@says(
    r"draws: (?P<n>\S+) fresh runs on each side(?: behind p and q)?; in (?P<pairs>\S+) pairs of "
    r"runs bet on, E happened (?P<p>\S+) times on D and (?P<q>\S+) times on D1"
)
def _draws(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert 2 * read(found["n"]) <= seen.result.effort["witness"]
    pairs = int(read(found["pairs"]))
    assert 2 * pairs <= seen.result.effort["bets"]
    for shown, truth in zip("pq", chances(seen, witness), strict=True):
        likely(int(read(found[shown])), pairs, truth)


@says(
    r"strongest: (?P<event>.+): (?P<more>\S+) times on (?P<first>D1?) and (?P<less>\S+) on D1? "
    r"in (?P<n>\S+) pairs of runs bet on"
)
def _strongest(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert witness.strongest is not None
    true = chances(seen, replace(witness, event=witness.strongest.event))
    # The witness' sides stand in the order of its own direction.
    if not witness.direction.startswith(f"{found['first']} over"):
        true = true[::-1]
    for shown, truth in zip(("more", "less"), true, strict=True):
        likely(int(read(found[shown])), int(read(found["n"])), truth)


@says(
    r"LEAK \(floating-point\), beside the verdict, which is about real arithmetic: whether "
    r"(?P<part>the output|output\['all'\]) is no multiple of 2\^-(?P<k>\d+) \(on D1: .*\) tells "
    r"the datasets apart \(log e-value (?P<log>\S+), a wealth of its own\)"
    r"(?:\. With it, at least ε = (?P<lower>\S+) is lost)?\.?"
)
def _leak(found: re.Match[str], seen: Watched) -> None:
    """Drawn here again: the bits do tell them apart more clearly than the claim allows."""
    on = [_on_the_grid(seen.name, total, int(found["k"])) for total in (1.0, 0.0)]
    off = [1.0 - share for share in on]
    noise = 5.0 / math.sqrt(20_000)
    assert any(
        here - noise > slope * (there + noise) + offset
        for here, there in (on, on[::-1], off, off[::-1])
        for slope, offset in seen.result.claim.lines(seen.result.claim.level).tolist()
    )
    assert read(found["log"]) >= math.log(1.0 / seen.result.alpha)
    if found["lower"]:
        most = max((here + noise) / max(there - noise, 1e-300) for here, there in (off, off[::-1]))
        assert 0.0 < read(found["lower"]) <= math.log(most)


def _on_the_grid(name: str, total: float, k: int) -> float:
    data = np.full(int(total), 1.0)
    rng = np.random.default_rng(77)
    mechanism = MECHANISMS[name].mechanism
    if name == "keyed":
        outputs = np.array([mechanism(data, rng)["all"] for _ in range(20_000)])
    else:
        outputs = mechanism(data, rng, 20_000)
    return float(np.mean(np.ldexp(outputs, k) == np.floor(np.ldexp(outputs, k))))


@says(r"(?:it means|it concerns|what to do|ignore it): .+")
def _advice(found: re.Match[str], seen: Watched) -> None:
    """Literature, cited beside the words; only said where there is a leak."""
    assert seen.result.leaks

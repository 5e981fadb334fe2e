"""Witnesses and leaks."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np

from audit.report.formatting import read
from audit.verdict.result import Verdict

from ..known_truth import MECHANISMS, Watched
from .rule import (
    NUMBERS,
    PERCENT,
    as_formula,
    chances,
    event_words,
    likely,
    other_mean,
    says,
    sides,
    witness_of,
)

_NOISE = 5.0 / math.sqrt(20_000)
"""Standard errors of a share that is drawn here again."""


@says(r"title: Counterexample \((?P<how>.+)\)|pair: D1: (?P<pair>without one record 1\.0)")
def _odds_break(found: re.Match[str], seen: Watched) -> None:
    how = found["how"] or found["pair"]
    assert how == "without one record 1.0"
    if found["how"] is None:
        return
    witness = witness_of(seen.result)
    true_p, true_q = chances(seen, witness)
    assert true_p > witness.slope * true_q + witness.offset
    assert how == witness.difference


@says(r"pair: D0: the same dataset")
def _same(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.null


@says(r"intervals: (?P<kind>Clopper-Pearson|empirical Bernstein), 99\.9% each")
def _intervals(found: re.Match[str], seen: Watched) -> None:
    function = witness_of(seen.result).function
    assert (found["kind"] == "Clopper-Pearson") == (function is None)


@says(r"function h: (?P<event>.+)")
def _function(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert witness.function is not None
    assert as_formula(found["event"]) == event_words(witness)
    for low, high in witness.event.parameters["intervals"]:
        assert all(
            value >= 0.5
            for start, stop, value in witness.function.steps
            if start >= float(low) and stop <= float(high)
        )


@says(r"(?P<side>D'?): (?P<data>\[.*\])")
def _dataset(found: re.Match[str], seen: Watched) -> None:
    assert json.loads(found["data"]) == {"D": [1.0], "D'": []}[found["side"]]


@says(r"event: (?P<event>(?!.*e-value).+)")
def _event(found: re.Match[str], seen: Watched) -> None:
    assert as_formula(found["event"]) == event_words(witness_of(seen.result))


@says(r"rounding: outputs that miss the number by errors of floating-point arithmetic count as it")
def _up_to_rounding(found: re.Match[str], seen: Watched) -> None:
    assert "up to rounding" in witness_of(seen.result).event.description


_SIDE = r"(?:P\[(?P<p>D'?)\]|mean (?P<mean>.+) on (?P<on>D'?))"


@says(rf"{_SIDE}: (?:{PERCENT}|{NUMBERS})")
def _estimate(found: re.Match[str], seen: Watched) -> None:
    """Each misses with probability alpha; seeds are fixed."""
    witness = witness_of(seen.result)
    truth = dict(zip(sides(witness), chances(seen, witness), strict=True))
    share = found["mean"] is None
    numbers = [read(number) for number in found.groups()[3:] if number]
    estimate, low, high = (number / 100 if share else number for number in numbers)
    side = found["p"] or found["on"]
    assert low <= truth[side] + 1e-12 and truth[side] <= high + 1e-12
    assert low <= estimate <= high
    if witness.function is not None:
        own = side == sides(witness)[0]
        assert found["mean"] == ("h" if own else witness.function.dual)


@says(
    rf"allowed: (?:the claim|ε = 1) allows {_SIDE} ≤ (?P<most>[^% ]+)(?P<share>%?)"
    r"(?: at P\[(?P<less>D'?)\] = (?P<base>\S+)%)?"
)
def _allowed(found: re.Match[str], seen: Watched) -> None:
    """From the estimate on the other dataset; if that is 0, from the end of its interval."""
    witness = witness_of(seen.result)
    never = found["share"] and witness.q.estimate == 0.0
    least = witness.q.high if never else witness.q.estimate
    assert bool(never) is (found["less"] is not None)
    if never:
        assert found["less"] == sides(witness)[1]
        assert least <= read(found["base"]) / 100 <= 1.01 * least
    most = min(1.0, witness.slope * least + witness.offset)
    shown = read(found["most"]) / (100 if found["share"] else 1)
    assert most * (1 - 1e-9) <= shown <= 1.01 * most
    assert (found["p"] or found["on"]) == sides(witness)[0]


@says(
    r"the claim: P\[D\] ≤ (?:e\^(?P<power>\S+) · )?P\[D'\](?: \+ (?P<offset>\S+))?"
    r"(?: = (?P<slope>\S+) · P.*)?"
)
def _broken_line(found: re.Match[str], seen: Watched) -> None:
    witness, claim = witness_of(seen.result), seen.result.claim
    slope = math.exp(float(found["power"] or 0.0))
    assert math.isclose(slope, witness.slope, rel_tol=1e-5)
    assert found["slope"] is None or slope <= read(found["slope"]) * (1 + 1e-9)
    offset = float(found["offset"] or 0.0)
    assert claim.delta(math.log(slope)) <= offset * (1 + 1e-6) + 1e-12


@says(
    r"the claim: mean h on (?P<more>D'?) ≤ (?P<slope>\S+) · mean .+ on D'? (?P<sign>[+-]) "
    r"(?P<offset>\S+)"
)
def _broken_means(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert witness.function is not None
    assert found["more"] == sides(witness)[0]
    assert math.isclose(read(found["slope"]), witness.slope, rel_tol=1e-2)
    offset = read(found["offset"]) * (1 if found["sign"] == "+" else -1)
    assert math.isclose(offset, witness.offset, rel_tol=1e-2)


@says(rf"mean h: {NUMBERS} on D'")
def _mean_of_the_function(found: re.Match[str], seen: Watched) -> None:
    estimate, low, high = (read(number) for number in found.groups())
    assert low <= other_mean(seen, witness_of(seen.result)) <= high and low <= estimate <= high


@says(r"sample: (?P<n>\S+) fresh runs on each dataset")
def _draws(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == witness_of(seen.result).draws
    assert 2 * read(found["n"]) <= seen.result.effort["witness"]


@says(
    r"bars: earlier: (?P<D>\S+)% on D and (?P<N>\S+)% on D' in (?P<pairs>\S+) pairs; bars: "
    r"(?P<fresh>\S+) fresh runs"
)
def _shares(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    pairs = int(read(found["pairs"]))
    assert read(found["fresh"]) == witness.draws
    assert witness.counts is not None and witness.counts[2] == pairs
    assert sides(witness) == ("D", "D'")
    for shown, count in zip("DN", witness.counts, strict=False):
        assert abs(read(found[shown]) / 100 - count / pairs) <= 0.006 * count / pairs


@says(
    r"bars: the test refuted it with p < 1e-(?P<p>\d+) in (?P<units>\S+) units; bars: "
    r"(?P<fresh>\S+) fresh runs"
)
def _refuted_by_means(found: re.Match[str], seen: Watched) -> None:
    witness, units = witness_of(seen.result), seen.result.units
    assert witness.function is not None and units is not None
    assert (read(found["fresh"]), read(found["units"])) == (witness.draws, units.count)
    assert seen.result.log_evalue >= (int(found["p"]) - 1e-9) * math.log(10.0)


@says(r"earlier runs: (?P<D>\S+) on D and (?P<N>\S+) on D' in (?P<pairs>\S+) pairs of runs")
def _counts(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    pairs = int(read(found["pairs"]))
    assert 2 * pairs <= seen.result.effort["bets"]
    assert sides(witness) == ("D", "D'")
    for shown, truth in zip("DN", chances(seen, witness), strict=True):
        likely(int(read(found[shown])), pairs, truth)


@says(
    r"event with the most evidence: (?P<event>.+): (?P<more>\S+) on (?P<first>D'?) and "
    r"(?P<less>\S+) on D'? in (?P<n>\S+) pairs of runs"
)
def _strongest(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    assert witness.strongest is not None
    true = chances(seen, replace(witness, event=witness.strongest.event))
    # The witness' sides stand in the order of its own direction.
    if sides(witness)[0] != found["first"]:
        true = true[::-1]
    for shown, truth in zip(("more", "less"), true, strict=True):
        likely(int(read(found[shown])), int(read(found["n"])), truth)


@says(
    r"event: (?P<part>the output|output\['all'\]) is (?:no|a) multiple of .+ "
    r"\(e-value (?P<wealth>\S+), tested with its own α\)"
)
def _leak(found: re.Match[str], seen: Watched) -> None:
    """Drawn here again: the bits do tell them apart more clearly than the claim allows."""
    on = [_low_bits_in_event(seen, total) for total in (1.0, 0.0)]
    off = [1.0 - share for share in on]
    assert any(
        here - _NOISE > slope * (there + _NOISE) + offset
        for here, there in (on, on[::-1], off, off[::-1])
        for slope, offset in seen.result.claim.lines(seen.result.claim.level).tolist()
    )
    assert read(found["wealth"]) >= 1.0 / seen.result.alpha
    (leak,) = seen.result.leaks
    assert math.log(read(found["wealth"])) <= leak.log_evalue + 1e-9


@says(
    r"Floating point: (?:low-order bits reveal the input|(?P<clean>the verdict holds for rounded "
    r"outputs; full-precision floats release more))(?: \(ε ≥ (?P<lower>\S+)\))?; round "
    r"or discretize"
)
def _size_of_the_leak(found: re.Match[str], seen: Watched) -> None:
    (leak,) = seen.result.leaks
    assert (found["clean"] is not None) is (seen.result.verdict is Verdict.NOT_REFUTED)
    if found["lower"] is None:
        assert (leak.epsilon_lower or 0.0) <= seen.result.claim.level
        return
    assert read(found["lower"]) > seen.result.claim.level * 0.99
    on = [_low_bits_in_event(seen, total) for total in (1.0, 0.0)]
    most = max((here + _NOISE) / max(there - _NOISE, 1e-300) for here, there in (on, on[::-1]))
    assert 0.0 < read(found["lower"]) <= math.log(most)


def _low_bits_in_event(seen: Watched, total: float) -> float:
    """Share of 20,000 new outputs whose lowest set bit is in the event of the leak."""
    (leak,) = seen.result.leaks
    data, rng = np.full(int(total), 1.0), np.random.default_rng(77)
    mechanism = MECHANISMS[seen.name].mechanism
    if seen.name == "keyed":
        outputs = np.array([mechanism(data, rng)["all"] for _ in range(20_000)])
    elif seen.name == "kept":
        outputs = len(data) + rng.laplace(0.0, 1.0, 20_000)
    else:
        outputs = mechanism(data, rng, 20_000)
    lowest = [_lowest_bit(value) for value in outputs.tolist()]
    intervals = [(float(low), float(high)) for low, high in leak.event.parameters["intervals"]]
    return float(np.mean([any(a <= bit < b for a, b in intervals) for bit in lowest]))


def _lowest_bit(value: float) -> int:
    """-k where the value is a multiple of 2^-k but of no coarser power."""
    if value == 0.0:
        return 2000
    numerator, denominator = value.as_integer_ratio()
    return (numerator & -numerator).bit_length() - denominator.bit_length()


@says(r"(?:meaning|concerns|remedy|harmless): .+")
def _advice(found: re.Match[str], seen: Watched) -> None:
    """Literature, cited beside the words; only said if there is a leak."""
    assert seen.result.leaks

"""Rules on noisy parts of an output that a relation without noise connects."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import numpy as np

from audit.diagnosis.evidence import Evidence, capital, found, number, share
from audit.diagnosis.parts import Part, is_value, numeric_parts, words
from audit.diagnosis.structure import certain
from audit.outcomes.column import Column, Floats
from audit.verdict.findings import Cause, Diagnosis

_EXACT = 1e-9
"""Largest spread of a relation without noise, in units of the noise."""
_MOST_PARTS = 24
_MOST_VALUES = 4
"""Values of parts whose combinations are counted."""
_EXPECTED = 30.0
"""Runs in which a combination would be expected if the parts were independent."""
_OVERLAP = 0.02
"""Least share of pairs of different runs in which two parts stand in the other order."""
_CHANCE = 1e-6
"""Chance that independent parts always stand in one order, over all pairs of parts."""
_SURE = 6.0
"""Standard errors."""
_ADVICE = "Draw independent noise for each part. A value that was compared needs fresh noise."


def shared_noise(evidence: Evidence) -> Diagnosis | None:
    """A relation that holds exactly in all runs, with another constant on the neighbor."""
    sizes = (evidence.left.size, evidence.right.size)
    parts = [part for part in numeric_parts(evidence) if part.noisy]
    parts = [p for p in parts if (len(p.left), len(p.right)) == sizes][:_MOST_PARTS]
    for rule in (_linear, _ratio):
        relation = rule(parts)
        if relation is not None:
            words_of, left, right = relation
            return found(
                Cause.SHARED_NOISE,
                f"The noise of the parts cancels. {words_of} is {number(left)} in all runs on "
                f"{evidence.left.name} and {number(right)} on {evidence.right.name}.",
                _ADVICE,
                relation=words_of,
                left=left,
                right=right,
            )
    return _order(parts, evidence) or _impossible_combination(evidence)


Relation = tuple[str, float, float]


def _linear(parts: list[Part]) -> Relation | None:
    """A weighted sum of the parts that is constant on each side."""
    if len(parts) < 2:
        return None
    left, right = (np.column_stack([getattr(p, side) for p in parts]) for side in ("left", "right"))
    spread = left.std(axis=0)
    standardized = (left - left.mean(axis=0)) / spread
    _, sizes, directions = np.linalg.svd(standardized, full_matrices=False)
    for weights in directions[sizes <= _EXACT * sizes[0]]:
        scaled = weights / spread
        scaled = scaled / scaled[np.abs(scaled).argmax()]
        values = left @ scaled, right @ scaled
        size = float(np.abs(left * scaled).max())
        if max(float(np.ptp(value)) for value in values) > 1e-7 * size:
            continue
        centres = [float(value.mean()) for value in values]
        if abs(centres[0] - centres[1]) > 1e-6 * size:
            # Adding 0 turns a negative zero into 0.
            return _sum_words(parts, scaled), round(centres[0], 9) + 0.0, round(centres[1], 9) + 0.0
    return None


def _sum_words(parts: list[Part], weights: Floats) -> str:
    used = {p.name: round(w, 6) for p, w in zip(parts, weights, strict=True) if abs(w) > 1e-6}
    factors = [*used.values()]
    if set(factors) == {1.0}:
        return f"The sum of {', '.join(used)}"
    if sorted(factors) == [-1.0, 1.0]:
        return "The difference " + " - ".join(sorted(used, key=lambda name: -used[name]))
    return "The sum " + " + ".join(f"{number(w)} · {name}" for name, w in used.items())


def _ratio(parts: list[Part]) -> Relation | None:
    """A quotient of two parts that is constant on each side."""
    for one, other in combinations(parts, 2):
        if not (one.left.all() and one.right.all()):
            continue
        left, right = other.left / one.left, other.right / one.right
        if all(np.ptp(side) <= _EXACT * np.abs(side).max() for side in (left, right)):
            values = float(left.mean()), float(right.mean())
            if abs(values[0] - values[1]) > 1e-6 * max(map(abs, values)):
                return f"{other.name} / {one.name}", *values
    return None


def _order(parts: list[Part], evidence: Evidence) -> Diagnosis | None:
    """An order of two parts that always holds on D and never on D′, though their values overlap."""
    for one, other in combinations(parts, 2):
        both = ((one.left, other.left), (one.right, other.right))
        rates = [float((a > b).mean()) for a, b in both]
        mixed = [_mixed(a, b) for a, b in both]
        chance = math.prod((1.0 - rate) ** len(a) for rate, (a, _) in zip(mixed, both, strict=True))
        sure = chance * len(parts) ** 2 <= _CHANCE
        if sorted(rates) == [0.0, 1.0] and min(mixed) >= _OVERLAP and sure:
            larger, smaller = (one, other) if rates[0] == 1.0 else (other, one)
            return found(
                Cause.SHARED_NOISE,
                f"The order of two parts has no noise. {capital(larger.name)} is larger than "
                f"{smaller.name} in all runs on {evidence.left.name} and in none on "
                f"{evidence.right.name}, though their values overlap.",
                _ADVICE,
                larger=larger.name,
                smaller=smaller.name,
            )
    return None


def _mixed(one: Floats, other: Floats) -> float:
    """Probability of the rarer order if parts of different runs are compared."""
    rate = float((one > np.roll(other, 1)).mean())
    return min(rate, 1.0 - rate)


Codes = tuple[list[str], list[str]]


def _coded_parts(evidence: Evidence) -> list[tuple[str, Codes]]:
    """Parts of few values as texts on both datasets, at most a few of them."""
    coded = []
    for name, left in evidence.left.outcomes.columns.items():
        if is_value(name):
            here, there = left.texts("g"), evidence.right.outcomes.column(name).texts("g")
            if 2 <= len({*here, *there}) <= _MOST_VALUES:
                coded.append((name, (here, there)))
    return coded[:_MOST_PARTS]


def _impossible_combination(evidence: Evidence) -> Diagnosis | None:
    """Values of two parts that never meet on one dataset though each of them is likely."""
    for (first, one), (second, other) in combinations(_coded_parts(evidence), 2):
        met = [Counter(zip(one[side], other[side], strict=True)) for side in (0, 1)]
        for a, b in sorted(met[0]):
            counts = evidence.counts(met[0][a, b], met[1][a, b])
            missing = one[1].count(a) * other[1].count(b) / len(one[1])
            if counts.right == 0 and missing >= _EXPECTED and counts.breaks(evidence.claim):
                combination = f"{words(first)} is {a} and {words(second)} is {b}"
                return found(
                    Cause.SHARED_NOISE,
                    f"The parts share their noise. {capital(combination)} in {share(counts.p)} of "
                    f"the runs on {evidence.left.name} and never on "
                    f"{evidence.right.name}, though each alone is likely there.",
                    _ADVICE,
                    p=counts.p,
                    q=counts.q,
                    combination=combination,
                )
    return None


def compared_value(evidence: Evidence) -> Diagnosis | None:
    """A released value that depends on the answers before it, as one that was compared does."""
    for sample in (evidence.left, evidence.right):
        values, marks = _values_and_marks(sample.outcomes.columns)
        known = np.isfinite(values)
        if known.sum() < 100 or not (np.ptp(values[known]) and np.ptp(marks[known])):
            continue
        correlation = float(np.corrcoef(_ranks(values[known]), _ranks(marks[known]))[0, 1])
        if abs(correlation) * np.sqrt(known.sum()) > _SURE:
            return found(
                Cause.SHARED_NOISE,
                "The released value has the noise of the comparison. It depends on how many "
                f"answers come before it (rank correlation {correlation:.2f} on {sample.name}).",
                _ADVICE,
                correlation=correlation,
            )
    return None


def _values_and_marks(columns: Mapping[str, Column]) -> tuple[Floats, Floats]:
    """The first number of each output that is not always one, and how many symbols precede it."""
    values = [column for name, column in columns.items() if is_value(name)]
    partial = [column for column in values if column.symbols is not None]
    whole = [column for column in values if column.symbols is None]
    if not partial:
        return np.empty(0), np.empty(0)
    numbers = np.column_stack([column.floats for column in partial])
    first = np.isfinite(numbers).argmax(axis=1)
    held = numbers[np.arange(len(numbers)), first]
    if len(partial) == 1 and len(whole) == 1:
        return held, np.asarray(whole[0].values, dtype=np.float64)
    return held, first.astype(np.float64)


def _ranks(numbers: Floats) -> Floats:
    return np.unique(numbers, return_inverse=True)[1].astype(np.float64)


def certain_relation(evidence: Evidence) -> Diagnosis | None:
    """A certain event of an output of several numbers, none of which explains it alone."""
    if evidence.session or sum(part.noisy for part in numeric_parts(evidence)) < 2:
        return None
    return certain(evidence, Cause.SHARED_NOISE, "A relation between noisy parts", _ADVICE)

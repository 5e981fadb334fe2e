"""Results as audits give them, made from known distributions and fixed seeds."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import beta

from audit.betting.events import Event
from audit.claims import ZCDP, ApproxDP, Claim, PureDP
from audit.relation import Relation
from audit.verdict.findings import Diagnosis, Leak, Search, Units, WorstPair
from audit.verdict.intervals import Estimate, quotient
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult, Verdict, Witness

ALPHA = 0.001
VERSION = "0.1.0"


def violation() -> AuditResult:
    """An average whose noise is a tenth of what it should be: numbers, a finite ratio."""
    rng = np.random.default_rng(1)
    edges = [-math.inf, *np.linspace(41.2, 42.6, 15), math.inf]
    left, right = rng.laplace(42.2, 0.12, 4000), rng.laplace(41.8, 0.12, 4000)
    tables = (
        _numeric(
            "D1", "D1 is D without the record with the largest value (90)", left, right, edges
        ),
    )
    event = Event(
        "the output is at least 42.1",
        {"feature": "output", "intervals": [[42.1, "inf"]], "symbols": [], "other_symbols": False},
    )
    witness = _witness(
        event, [17.0, 38.5, 90.0], [17.0, 38.5], tables[0].difference, 0.5, (3214, 163), 4000
    )
    return _result(
        "noisy-average",
        PureDP(0.5),
        Verdict.VIOLATION,
        {"epsilon_lower": 2.71},
        pairs=tables,
        witness=witness,
        log_evalue=812.4,
        parameters={"epsilon": 0.5, "floor": 25},
        detectable_epsilon=0.58,
        leaks=(Leak(kind="floating-point", event=LOW_BITS, log_evalue=55.1),),
        search=Search(pairs=124, shrinks=31, samples=12_400),
        summary="average of the values above 25 with Laplace noise",
    )


def not_refuted() -> AuditResult:
    """A correct Laplace count, three pairs, the third one equal on both sides."""
    rng = np.random.default_rng(2)
    edges = [-math.inf, *range(-4, 9), math.inf]
    shifts = (1.0, -1.0, 0.0)
    words = (
        "D1 is D without the record with the largest value (4)",
        "D2 is D with one more record (4)",
        "D3 is D without a record from the middle (2)",
    )
    tables = tuple(
        _numeric(
            f"D{i + 1}",
            words[i],
            rng.laplace(2.0, 1.0, 20_000),
            rng.laplace(2.0 - shifts[i], 1.0, 20_000),
            edges,
        )
        for i in range(3)
    )
    return _result(
        "laplace-count",
        PureDP(1.0),
        Verdict.NOT_REFUTED,
        {"epsilon_lower": 0.962},
        pairs=tables,
        log_evalue=1.2,
        samples=400_000,
        detectable_epsilon=1.043,
        detectable_tenth=1.12,
        coupled=True,
        notes=("Draws came in batches of 4,096.",),
    )


def exception_violation() -> AuditResult:
    """A quantile that raises on one dataset only: symbols, q = 0, an infinite ratio."""
    left = {"is raised ZeroDivisionError": 0, "is float": 2000}
    right = {"is raised ZeroDivisionError": 1730, "is float": 268, "is None": 2}
    table = _symbolic("D1", "D1 is D without its only record", left, right, "kind of output")
    event = Event(
        "the mechanism raises ZeroDivisionError",
        {
            "feature": "kind of output",
            "intervals": [],
            "symbols": ["raised ZeroDivisionError"],
            "other_symbols": False,
        },
    )
    witness = _witness(event, [], [1], table.difference, 1.0, (1730, 0), 2000, offset=1e-5)
    witness = dataclasses.replace(witness, direction="D1 over D")
    return _result(
        "quantile.py:median",
        ApproxDP(1.0, 1e-5),
        Verdict.VIOLATION,
        {"epsilon_lower": math.inf},
        pairs=(table,),
        witness=witness,
        log_evalue=1204.0,
        parameters={},
        coupled=False,
        relation=Relation.SUBSTITUTE,
        notes=("The black box cannot be seeded; both sides were drawn independently.",),
    )


def inconclusive() -> AuditResult:
    """A budget too small for the claim, whatever the mechanism does."""
    return _result(
        "vote",
        PureDP(10.0),
        Verdict.INCONCLUSIVE,
        {"epsilon_lower": 0.0},
        log_evalue=0.0,
        samples=10_000,
        detectable_epsilon=None,
        floor=152_150,
        wanted=1_210_000,
    )


def leak() -> AuditResult:
    """Right in real arithmetic, told apart by the lowest bits; zCDP, with a hard-to-print name."""
    return _result(
        "gaussian|sum `v2` <b>",
        ZCDP(0.5),
        Verdict.NOT_REFUTED,
        {"epsilon_lower": 1.31, "rho_lower": 0.41},
        log_evalue=0.7,
        detectable_epsilon=2.4,
        leaks=(Leak(kind="floating-point", event=LOW_BITS, log_evalue=311.9),),
        notes=("A note with\na line break, a | pipe and \x1b[31mcolour.",),
    )


def explained() -> AuditResult:
    """A violation with a worst pair, a likely cause, assumptions and units."""
    return dataclasses.replace(
        violation(),
        worst=WorstPair(
            dataset=[], neighbor=[100], difference="with one more record 100", epsilon_lower=2.71
        ),
        diagnosis=Diagnosis(
            cause="noise-too-small",
            sentence="the noise is too small for the sensitivity: its scale is 50, and one "
            "record moves the output by up to 100.",
            advice="multiply the scale by 2: ε = 0.5 needs scale 100.",
            numbers={"scale": 50.0, "sensitivity": 100.0, "factor": 2.0},
        ),
        assumptions=("independent-calls", "clock"),
        units=Units(kind="life", n=8, count=1200),
    )


def with_claim(claim: Claim) -> AuditResult:
    return _result("any", claim, Verdict.NOT_REFUTED, {"epsilon_lower": 0.5})


def all_samples() -> dict[str, AuditResult]:
    """Every sample by its name."""
    return {
        "violation": violation(),
        "not_refuted": not_refuted(),
        "exception_violation": exception_violation(),
        "inconclusive": inconclusive(),
        "leak": leak(),
    }


LOW_BITS = Event(
    "the output is a multiple of 2^-53",
    {"feature": "power of two of the lowest set bit of output", "intervals": [[-53.0, "inf"]]},
)


def _result(
    name: str, claim: Claim, verdict: Verdict, levels: dict[str, float], **changes: object
) -> AuditResult:
    fields: dict[str, object] = {
        "mechanism": name,
        "parameters": {"epsilon": claim.level},
        "claim": claim,
        "relation": Relation.ADD_REMOVE,
        "verdict": verdict,
        "levels": levels,
        "alpha": ALPHA,
        "log_evalue": 0.0,
        "samples": 40_000,
        "detectable_epsilon": 1.5,
        "coupled": True,
        "witness": None,
        "pairs": (),
        "search": None,
        "leaks": (),
        "seed": 0,
        "version": VERSION,
        "command": f"audit {name} --seed 0",
        "tried": ("3 pairs built from D", "5 features of the output", "1,204 events both ways"),
        "floor": 62,
    }
    return AuditResult(**(fields | changes))  # type: ignore[arg-type]


def _witness(
    event: Event,
    dataset: object,
    neighbor: object,
    difference: str,
    level: float,
    hits: tuple[int, int],
    draws: int,
    offset: float = 0.0,
) -> Witness:
    return Witness(
        pair="D1",
        dataset=dataset,
        neighbor=neighbor,
        difference=difference,
        direction="D over D1",
        event=event,
        p=clopper_pearson(hits[0], draws, ALPHA),
        q=clopper_pearson(hits[1], draws, ALPHA),
        slope=math.exp(level),
        offset=offset,
        draws=draws,
    )


def _numeric(
    name: str, difference: str, left: np.ndarray, right: np.ndarray, edges: Sequence[float]
) -> PairTable:
    counts = [np.histogram(side, edges)[0] for side in (left, right)]
    ends = list(itertools.pairwise(edges))
    return _table(name, difference, counts[0], counts[1], ends, [""] * len(ends), "output")


def _symbolic(
    name: str, difference: str, left: dict[str, int], right: dict[str, int], feature: str
) -> PairTable:
    words = list(dict.fromkeys([*left, *right]))
    counts = [np.array([side.get(word, 0) for word in words]) for side in (left, right)]
    return _table(name, difference, counts[0], counts[1], [None] * len(words), words, feature)


def _table(
    name: str,
    difference: str,
    left: np.ndarray,
    right: np.ndarray,
    ends: Sequence[tuple[float, float] | None],
    words: Sequence[str],
    feature: str,
    slope: float = math.e,
) -> PairTable:
    level = ALPHA / (4 * len(ends))
    bins = []
    for x, y, end, word in zip(left, right, ends, words, strict=True):
        p, q = (
            clopper_pearson(int(x), int(left.sum()), level),
            clopper_pearson(int(y), int(right.sum()), level),
        )
        ratio, reverse = _ratio(p, q), _ratio(q, p)
        low, high = (None, None) if end is None else (float(end[0]), float(end[1]))
        bins.append(
            Bin(
                low=low,
                high=high,
                label=word or f"in [{low}, {high})",
                p=p,
                q=q,
                ratio=ratio,
                reverse=reverse,
                flagged=max(ratio.low, reverse.low) > slope,
            )
        )
    return PairTable(
        name=name,
        difference=difference,
        draws=(int(left.sum()), int(right.sum())),
        bins=tuple(bins),
        max_ratio=max(max(b.ratio.estimate, b.reverse.estimate) for b in bins),
        satisfied=not any(b.flagged for b in bins),
        feature=feature,
    )


def _ratio(p: Estimate, q: Estimate) -> Estimate:
    return Estimate(
        quotient(p.estimate, q.estimate), quotient(p.low, q.high), quotient(p.high, q.low)
    )


def clopper_pearson(hits: int, draws: int, level: float) -> Estimate:
    """Exact two-sided interval at confidence 1 - level."""
    low = 0.0 if hits == 0 else float(beta.ppf(level / 2, hits, draws - hits + 1))
    high = 1.0 if hits == draws else float(beta.ppf(1 - level / 2, hits + 1, draws - hits))
    return Estimate(hits / draws, low, high)

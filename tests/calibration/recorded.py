"""Recorded files of correct mechanisms, of every kind of output: all alarms are false ones.

python -m tests.calibration.recorded --audits 2000
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.claims import claim_from
from audit.sampling.workers import in_parallel
from audit.verdict.intervals import proportion
from audit.verdict.recorded.run import samples
from audit.verdict.result import Verdict

LEVELS = (0.05, 0.001)
KEEP = math.exp(1.0) / (1.0 + math.exp(1.0))


@dataclass(frozen=True)
class Recorded:
    """One correct mechanism, recorded on D and on neighbors that attain its claim.

    Attributes:
        name: for the report.
        draw: outputs on a dataset that is 0 or 1.
        claim: keywords of the claim.
        epsilon: the smallest epsilon that holds, None where no bound can be too high.
        draws: outputs in the file of D.
        neighbors: draws in the file of each neighbor.
    """

    name: str
    draw: Callable[[int, Generator, int], Iterable[Any]]
    claim: dict[str, Any] = field(default_factory=lambda: {"epsilon": 1.0})
    epsilon: float | None = 1.0
    draws: int = 600
    neighbors: tuple[int, ...] = (600,)


def _truths(data: int, rng: Generator, draws: int) -> list[bool]:
    return [bool((u < KEEP) == bool(data)) for u in rng.random(draws)]


def laplace(data: int, rng: Generator, draws: int) -> Any:
    return data + rng.laplace(0.0, 1.0, draws)


def geometric(data: int, rng: Generator, draws: int) -> Any:
    stop = 1.0 - math.exp(-1.0)
    return data + rng.geometric(stop, draws) - rng.geometric(stop, draws)


def labels(data: int, rng: Generator, draws: int) -> Any:
    return ["yes" if truth else "no" for truth in _truths(data, rng, draws)]


def many_labels(data: int, rng: Generator, draws: int) -> Any:
    """Randomized response about the half that a label is from; most are seen once."""
    names = rng.integers(0, 5000, draws)
    return [f"{truth}{name}" for truth, name in zip(_truths(data, rng, draws), names, strict=True)]


def keys(data: int, rng: Generator, draws: int) -> Any:
    found = zip(_truths(data, rng, draws), rng.laplace(size=(draws, 2)), strict=True)
    return [{"north": x} if truth else {"north": x, "south": y} for truth, (x, y) in found]


def lengths(data: int, rng: Generator, draws: int) -> Any:
    return [list(rng.normal(size=1 + truth)) for truth in _truths(data, rng, draws)]


def numbers_and_errors(data: int, rng: Generator, draws: int) -> Any:
    found = zip(_truths(data, rng, draws), rng.normal(size=draws), strict=True)
    return ["error" if truth else float(x) for truth, x in found]


def kinds(data: int, rng: Generator, draws: int) -> Any:
    held = (1, 1.5, True, "a", None, [1.0], [2, "b"], {"k": 1})
    places = zip(_truths(data, rng, draws), rng.integers(0, 4, draws), strict=True)
    return [held[int(place) + 4 * truth] for truth, place in places]


def vector(data: int, rng: Generator, draws: int) -> Any:
    return data * np.array([1.0, -1.0, 1.0]) + rng.laplace(0.0, 3.0, (draws, 3))


def gaussian(data: int, rng: Generator, draws: int) -> Any:
    return data + rng.normal(size=draws)


def far_and_odd(data: int, rng: Generator, draws: int) -> Any:
    """Heavy tails, huge and tiny numbers, zeros of both signs, NaN."""
    held = np.array([-0.0, 0.0, 5e-324, 1e300, -1e300, np.nan, np.inf, 2.0**53 + 2])
    tails = rng.standard_cauchy(draws)
    odd = held[rng.integers(0, 4, draws) + 4 * np.array(_truths(data, rng, draws))]
    return np.where(rng.random(draws) < 0.5, tails, odd)


FAMILIES = (
    Recorded("Laplace", laplace),
    Recorded("Laplace, long", laplace, draws=6000, neighbors=(6000,)),
    Recorded("Laplace, short", laplace, draws=60, neighbors=(60,)),
    Recorded("Laplace, three neighbors", laplace, neighbors=(600, 500, 40)),
    Recorded("geometric", geometric),
    Recorded("two labels", labels),
    Recorded("labels that hardly repeat", many_labels),
    Recorded("an extra key", keys),
    Recorded("two lengths", lengths),
    Recorded("numbers and errors", numbers_and_errors),
    Recorded("all kinds", kinds),
    Recorded("three Laplace", vector),
    Recorded("odd numbers", far_and_odd),
    Recorded("no difference", lambda d, rng, n: rng.normal(size=n), {"epsilon": 0.01}, 0.01),
    Recorded("zCDP", gaussian, {"rho": 0.5}, None),
    Recorded("Rényi", gaussian, {"renyi": (2.0, 1.0)}, None),
    Recorded("Gaussian DP", gaussian, {"mu": 1.0}, None),
    Recorded("(1, 0.01)", lambda d, rng, n: d + rng.normal(0.0, 1.87788, n),
             {"epsilon": 1.0, "delta": 0.01}),
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """One audit: its family, its level, and if it was refuted, doubted, or bounded too high."""

    family: str
    alpha: float
    accused: bool
    withheld: bool
    above: bool


def written(folder: Path, name: str, outputs: Iterable[Any]) -> Path:
    """A file with a JSON value per line."""
    path = folder / f"{name}.jsonl"
    plain = (o.tolist() if isinstance(o, (np.ndarray, np.generic)) else o for o in outputs)
    path.write_text("".join(f"{json.dumps(output)}\n" for output in plain), encoding="utf-8")
    return path


def audited(family: Recorded, seed: int, alpha: float) -> Outcome:
    """One audit of fresh files."""
    claim = claim_from(**family.claim)
    assert claim is not None
    rng = np.random.default_rng([seed, *family.name.encode()])
    with tempfile.TemporaryDirectory() as folder:
        sizes = (family.draws, *family.neighbors)
        paths = [
            written(Path(folder), f"D{k}", family.draw(int(k == 0), rng, size))
            for k, size in enumerate(sizes)
        ]
        result = samples(paths, claim, alpha=alpha, bins=5)
    own = {"zcdp": "rho_lower", "gaussian": "mu_lower", "renyi": "renyi_lower"}
    bound = result.levels[own.get(claim.kind, "epsilon_lower")]
    truth = claim.level if family.epsilon is None else family.epsilon
    return Outcome(
        family.name,
        alpha,
        result.verdict is Verdict.VIOLATION,
        any(doubt in result.reason for doubt in ("does not look like", "repeat after")),
        bound > truth,
    )


def study(audits: int, workers: int, first_seed: int = 0) -> list[Outcome]:
    """About this many audits at each level, the same number of each family."""
    each = math.ceil(audits / len(FAMILIES))
    jobs = [(f, first_seed + s, a) for a in LEVELS for f in FAMILIES for s in range(each)]
    return list(in_parallel(workers, (partial(audited, *job) for job in jobs)))


def row(outcomes: Sequence[Outcome], count: Callable[[Outcome], bool]) -> str:
    """How many, of how many, with the exact interval at 95%."""
    found = sum(map(count, outcomes))
    held = proportion(found, len(outcomes), 0.05)
    return f"{found} of {len(outcomes)} ({held.low:.4f} to {held.high:.4f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args()
    outcomes = study(options.audits, options.workers, options.first_seed)
    for alpha in LEVELS:
        held = [o for o in outcomes if o.alpha == alpha]
        print(f"level {alpha:g}: false alarms {row(held, lambda o: o.accused)}")
        print(f"  bounds too high {row(held, lambda o: o.above)}")
        print(f"  draws called dependent {row(held, lambda o: o.withheld)}")


if __name__ == "__main__":
    main()

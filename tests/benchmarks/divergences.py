"""How soon claims on divergences are refuted, and how close their bounds come: Gaussians.

python -m tests.benchmarks.divergences
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from audit.case import Case, Until
from audit.claims import ZCDP, Claim, RenyiDP
from tests.benchmarks.cases import additive
from tests.benchmarks.play import play

ALPHA = 0.05
TITLE = "Claims on divergences (Gaussian noise, bets on functions, α = .05)"
_CLAIMS: tuple[tuple[str, Claim, int, float], ...] = (
    ("ρ = .72 sold as .5", ZCDP(0.5), 5_000, 0.47),
    ("Rényi(2) 1.44 sold as 1", RenyiDP(2.0, 1.0), 12_000, 0.92),
)
"""What is refuted, the claim, the pairs wanted for it, and the bound wanted at the claim."""
_LARGEST_PAIRS = 1_000_000


def gaussian(claim: Claim, distance: float) -> Case:
    """Noise for a sensitivity of 1 where it is this distance; at 1 it keeps the claim exactly."""

    def noise(rng: Generator, size: int) -> object:
        return rng.normal(0.0, 1.0 / distance, size)

    return additive(noise, claim)


def rows(seeds: int, coupled: bool) -> list[str]:
    """A line for each claim: pairs to refute, and bounds after a million pairs."""
    lines = []
    for name, claim, most, least in _CLAIMS:
        games = [
            play(gaussian(claim, 1.2), alpha=ALPHA, samples=8 * most, seed=seed, coupled=coupled)
            for seed in range(seeds)
        ]
        pairs = [game.pairs if game.refuted else np.inf for game in games]
        bounds = [
            play(
                gaussian(claim, 1.0),
                alpha=ALPHA,
                samples=2 * _LARGEST_PAIRS,
                seed=seed,
                coupled=coupled,
                until=Until.BUDGET,
            ).bound
            for seed in range(3)
        ]
        lines.append(
            f"| {name} | {'shared' if coupled else 'apart'} | {np.median(pairs):,.0f} "
            f"| {max(pairs):,.0f} | {most:,} | {min(bounds):.4f} | {max(bounds):.4f} "
            f"| {least:g} of {claim.level:g} |"
        )
    return lines


def table(seeds: int = 20) -> list[str]:
    """Both ways of drawing."""
    head = "| wrong claim | randomness | median pairs | worst | wanted "
    return [
        f"{head}| bound after 1,000,000 pairs at the claim, least of 3 | largest | wanted |",
        "|---|---|--:|--:|--:|--:|--:|---|",
        *rows(seeds, True),
        *rows(seeds, False),
    ]


if __name__ == "__main__":
    print("\n".join(table()))

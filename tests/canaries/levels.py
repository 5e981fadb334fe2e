"""Audits of canaries whose claim holds: every refutation is a false alarm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd
from numpy.random import default_rng

from audit.canary.bench import Direction, coins_of
from audit.canary.design import screen
from audit.canary.guesses import guesses_from
from audit.canary.scores import scores_in
from audit.claims import Claim
from tests.canaries.families import FAMILIES, Family

LEVELS = (0.05, 0.001)
HALF = 0.5
"""The part of a claim that wrong audits are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What became of the audits of one family.

    Attributes:
        family: whose.
        audits: at each level.
        alarms: refutations of the claim, at each of `LEVELS`.
        caught: refutations of half the claim at the first of them.
    """

    family: Family
    audits: int
    alarms: tuple[int, ...]
    caught: int


def refuted(
    family: Family, claims: Sequence[Claim], alphas: Sequence[float], seed: int
) -> list[bool]:
    """Whether one draw refutes each claim at its level.

    A violation is said, and a bound lies above a level, only where that level
    itself is refuted: false alarms are counted here by the weaker of the two.
    """
    columns = pd.DataFrame(family.draw(default_rng(seed)))
    scores = scores_in(columns, {}, "the draw")
    screen(scores, family.design, declared=True, warn=lambda told: None)
    guesses = guesses_from(scores, family.design, seed)
    found = []
    for claim, alpha in zip(claims, alphas, strict=True):
        direction = Direction(
            guesses=guesses,
            design=family.design,
            canaries=coins_of(scores, family.design),
            alpha=alpha,
            given=scores.guessed,
        )
        found.append(direction.refutes(claim))
    return found


def counted(family: Family, rounds: int, first: int = 0) -> Counted:
    """So many audits of a family, with numbers from `first` on."""
    half = family.claim.at(HALF * family.claim.level)
    claims, alphas = (*[family.claim] * len(LEVELS), half), (*LEVELS, LEVELS[0])
    rows = [refuted(family, claims, alphas, seed) for seed in range(first, first + rounds)]
    alarms = [sum(column) for column in zip(*rows, strict=True)]
    return Counted(
        family=family, audits=rounds, alarms=tuple(alarms[: len(LEVELS)]), caught=alarms[-1]
    )


def all_counted(rounds: int) -> Iterator[Counted]:
    """All families."""
    for family in FAMILIES:
        yield counted(family, rounds)

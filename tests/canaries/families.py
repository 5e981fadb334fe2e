"""Training that keeps its claim exactly, and is as hard to tell from worse as can be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.optimize import brentq

from audit.canary.design import Assignment, Design, Flags, Floats
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.relation import Relation

Columns = dict[str, Any]

COIN = Design()
PAIRS = Design(assignment=Assignment.PAIRS, relation=Relation.SUBSTITUTE)
PAIRS_OF_TWO_STEPS = Design(assignment=Assignment.PAIRS)
HALVES = Design(assignment=Assignment.HALVES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One way in which canaries come about under a claim that holds.

    Attributes:
        name: for the report.
        claim: the strongest of its kind that holds, or one that does.
        draw: members and scores or guesses, by the names of their columns.
        design: of the coins.
        seen: whether a claim of half the size should be refuted now and then.
    """

    name: str
    claim: Claim
    draw: Callable[[Generator], Columns]
    design: Design = COIN
    seen: bool = True


def mu_of(epsilon: float, delta: float) -> float:
    """The mu of Gaussian noise that is exactly (epsilon, delta)-DP."""
    found: float = brentq(lambda mu: GaussianDP(mu).delta(epsilon) - delta, 1e-3, 50.0)
    return found


def flips(members: Flags, epsilon: float, rng: Generator) -> Flags:
    """Randomized response: each coin, or with probability 1/(1 + e^epsilon) its other side."""
    kept = rng.random(len(members)) < 1.0 / (1.0 + math.exp(-epsilon))
    return np.where(kept, members, ~members)


def coins(
    canaries: int, score: Callable[[Flags, Generator], Floats], probability: float = 0.5
) -> Callable[[Generator], Columns]:
    """Independent coins, and scores made from them."""

    def draw(rng: Generator) -> Columns:
        members = rng.random(canaries) < probability
        return {"member": members, "score": score(members, rng)}

    return draw


def response(epsilon: float) -> Callable[[Flags, Generator], Floats]:
    """Randomized response, in an order that says nothing."""
    return lambda members, rng: flips(members, epsilon, rng) + 0.01 * rng.random(len(members))


def laplace(epsilon: float) -> Callable[[Flags, Generator], Floats]:
    """Each coin with Laplace noise."""
    return lambda members, rng: np.asarray(members + rng.laplace(0.0, 1.0 / epsilon, len(members)))


def gaussian(mu: float) -> Callable[[Flags, Generator], Floats]:
    """Each coin with Gaussian noise."""
    return lambda members, rng: np.asarray(members + rng.normal(0.0, 1.0 / mu, len(members)))


def sorted_ties(epsilon: float) -> Callable[[Generator], Columns]:
    """Randomized response as two scores only, all members in the first rows."""

    def draw(rng: Generator) -> Columns:
        members = np.sort(rng.random(400) < 0.5)[::-1]
        return {"member": members, "score": flips(members, epsilon, rng).astype(float)}

    return draw


def all_or_nothing(epsilon: float) -> Callable[[Flags, Generator], Floats]:
    """Errors come together: half of the time some say nothing, half of the time few.

    The output y has probability c·f(h) with h its distance from the coins and
    f(h) = e^(-epsilon·min(h, k)): one coin changes h by one, so f by e^epsilon at
    most, and c is the same for all coins.
    """

    def score(members: Flags, rng: Generator) -> Floats:
        count = len(members)
        least = math.log(2.0 / (1.0 + math.exp(-epsilon))) * count / epsilon
        wrong = np.arange(count + 1)
        ways = np.array([math.lgamma(n + 1) + math.lgamma(count - n + 1) for n in wrong])
        law = np.exp(-ways + ways.min() - epsilon * np.minimum(wrong, least))
        errors = rng.permutation(count) < rng.choice(wrong, p=law / law.sum())
        return np.asarray((members ^ errors) + 0.01 * rng.random(count))

    return score


def one_noise(mu: float, length: int) -> Callable[[Flags, Generator], Floats]:
    """A sum of as many unit vectors as there are members, with Gaussian noise, in few dimensions.

    Scores are its products with the vectors, which share the noise and each other.
    """

    def score(members: Flags, rng: Generator) -> Floats:
        vectors = rng.normal(0.0, 1.0, (len(members), length))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        noisy = members @ vectors + rng.normal(0.0, 1.0 / mu, length)
        return np.asarray(vectors @ noisy)

    return score


def open_at_times(epsilon: float, delta: float) -> Callable[[Flags, Generator], Floats]:
    """All coins in the open with probability delta, randomized response else."""

    def score(members: Flags, rng: Generator) -> Floats:
        told = members if rng.random() < delta else flips(members, epsilon, rng)
        return told + 0.01 * rng.random(len(members))

    return score


def few_revealed(canaries: int, few: int, delta: float) -> Callable[[Generator], Columns]:
    """With probability m·delta/k, k coins drawn at random are in the open; nobody else is guessed.

    Each coin is so with probability delta: (0, delta)-DP.
    """

    def draw(rng: Generator) -> Columns:
        members = rng.random(canaries) < 0.5
        guesses = np.zeros(canaries)
        if rng.random() < canaries * delta / few:
            chosen = rng.permutation(canaries)[:few]
            guesses[chosen] = np.where(members[chosen], 1.0, -1.0)
        else:
            guesses[0] = 1.0  # one guess at random, so that there is something to audit
        return {"member": members, "guess": guesses}

    return draw


def all_but_few(canaries: int, few: int, delta: float) -> Callable[[Flags, Generator], Floats]:
    """With probability delta all coins but a few are in the open, and else none."""

    def score(members: Flags, rng: Generator) -> Floats:
        scores = rng.random(canaries)
        if rng.random() < delta:
            open_ones = rng.permutation(canaries)[few:]
            scores[open_ones] += 10.0 * members[open_ones] - 5.0
        return scores

    return score


def unsure_ones_abstain(epsilon: float) -> Callable[[Flags, Generator], Floats]:
    """Only scores far from the middle are told: who abstains depends on the output."""

    def score(members: Flags, rng: Generator) -> Floats:
        scores = members + rng.laplace(0.0, 1.0 / epsilon, len(members))
        return np.where(np.abs(scores - 0.5) > 1.0, scores, np.nan)

    return score


def runs(count: int, canaries: int, epsilon: float) -> Callable[[Generator], Columns]:
    """Several runs of randomized response, each with fresh coins."""
    draw = coins(count * canaries, response(epsilon))
    return lambda rng: draw(rng) | {"run": np.repeat(np.arange(count), canaries)}


def pairs(score: Callable[[Flags, Generator], Floats]) -> Callable[[Generator], Columns]:
    """Two hundred pairs; a fair coin puts one of each in."""

    def draw(rng: Generator) -> Columns:
        first = rng.random(200) < 0.5
        members = np.column_stack([first, ~first]).ravel()
        return {
            "member": members,
            "score": score(members, rng),
            "pair": np.repeat(np.arange(200), 2),
        }

    return draw


def pair_bit(epsilon: float) -> Callable[[Flags, Generator], Floats]:
    """Randomized response to which of two is in."""
    return lambda members, rng: (
        np.repeat(flips(members[::2], epsilon, rng), 2) ^ (np.arange(len(members)) % 2 == 1)
    )


def halves(score: Callable[[Flags, Generator], Floats]) -> Callable[[Generator], Columns]:
    """Two hundred of four hundred, drawn at random."""

    def draw(rng: Generator) -> Columns:
        members = rng.permutation(400) < 200
        return {"member": members, "score": score(members, rng)}

    return draw


def guessed(draw: Callable[[Generator], Columns]) -> Callable[[Generator], Columns]:
    """Guesses in place of scores: in where the score is above a half."""

    def made(rng: Generator) -> Columns:
        columns = draw(rng)
        return columns | {"guess": np.where(columns.pop("score") > 0.5, 1.0, -1.0)}

    return made


FAMILIES: tuple[Family, ...] = (
    Family(name="randomized response", claim=PureDP(1.0), draw=coins(400, response(1.0))),
    Family(name="randomized response", claim=PureDP(4.0), draw=coins(1000, response(4.0))),
    Family(name="two scores only, members first", claim=PureDP(1.0), draw=sorted_ties(1.0)),
    Family(name="Laplace noise", claim=PureDP(1.0), draw=coins(400, laplace(1.0))),
    Family(name="errors come together", claim=PureDP(1.0), draw=coins(400, all_or_nothing(1.0))),
    Family(
        name="unsure ones abstain",
        claim=PureDP(1.0),
        draw=coins(400, unsure_ones_abstain(1.0)),
    ),
    Family(name="four runs", claim=PureDP(1.0), draw=runs(4, 100, 1.0)),
    Family(name="guesses of others", claim=PureDP(1.0), draw=guessed(coins(400, response(1.0)))),
    Family(
        name="coins of probability .1",
        claim=PureDP(1.0),
        draw=coins(400, response(1.0), 0.1),
        design=Design(probability=0.1),
    ),
    Family(
        name="coins of probability .8",
        claim=PureDP(1.0),
        draw=coins(400, laplace(1.0), 0.8),
        design=Design(probability=0.8),
    ),
    Family(
        name="guesses of others, coins of probability .8",
        claim=PureDP(1.0),
        draw=guessed(coins(400, response(1.0), 0.8)),
        design=Design(probability=0.8),
    ),
    Family(name="pairs, which of two", claim=PureDP(1.0), draw=pairs(pair_bit(1.0)), design=PAIRS),
    Family(
        name="pairs, guesses of others",
        claim=PureDP(1.0),
        draw=guessed(pairs(pair_bit(1.0))),
        design=PAIRS,
    ),
    Family(
        name="pairs, noise on either",
        claim=PureDP(1.0),
        draw=pairs(laplace(1.0)),
        design=PAIRS_OF_TWO_STEPS,
    ),
    Family(
        name="fixed halves, randomized response",
        claim=PureDP(1.0),
        draw=halves(response(1.0)),
        design=HALVES,
    ),
    Family(
        name="fixed halves, guesses of others",
        claim=PureDP(1.0),
        draw=guessed(halves(response(1.0))),
        design=HALVES,
    ),
    Family(
        name="all in the open with probability δ",
        claim=ApproxDP(1.0, 1e-3),
        draw=coins(100, open_at_times(1.0, 1e-3)),
        seen=False,
    ),
    Family(
        name="all but five in the open with probability δ",
        claim=ApproxDP(0.0, 1e-4),
        draw=coins(400, all_but_few(400, 5, 1e-4)),
        seen=False,
    ),
    Family(
        name="six in the open with probability mδ/6, all others abstain",
        claim=ApproxDP(0.0, 4e-5),
        draw=few_revealed(10_000, 6, 4e-5),
        seen=False,
    ),
    Family(
        name="Gaussian noise",
        claim=ApproxDP(4.0, 1e-5),
        draw=coins(1000, gaussian(mu_of(4.0, 1e-5))),
        seen=False,
    ),
    Family(name="Gaussian noise", claim=GaussianDP(1.0), draw=coins(400, gaussian(1.0))),
    Family(
        name="Gaussian noise",
        claim=ZCDP(0.5),
        draw=coins(400, gaussian(1.0)),
        seen=False,
    ),
    Family(
        name="Gaussian noise",
        claim=RenyiDP(4.0, 2.0),
        draw=coins(400, gaussian(1.0)),
        seen=False,
    ),
    Family(
        name="Gaussian noise, coins of probability .2",
        claim=GaussianDP(1.0),
        draw=coins(400, gaussian(1.0), 0.2),
        design=Design(probability=0.2),
        seen=False,
    ),
    Family(
        name="pairs, Gaussian noise on either",
        claim=GaussianDP(math.sqrt(2.0)),
        draw=pairs(gaussian(1.0)),
        design=PAIRS,
    ),
    Family(
        name="one noise for all, in fifty dimensions",
        claim=GaussianDP(1.0),
        draw=coins(400, one_noise(1.0, 50)),
        seen=False,
    ),
)

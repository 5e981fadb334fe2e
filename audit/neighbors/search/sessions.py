"""The search for the questions and datasets on which a claim about a session falls.

It is the one for datasets, which come with what is asked about them. Whatever it finds is only a
place to bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from audit.neighbors.domain import Domain
from audit.neighbors.pair import Pair
from audit.neighbors.questions import Questions, asked, unasked
from audit.neighbors.search.find import listed_pairs
from audit.neighbors.search.oracle import Oracle
from audit.neighbors.search.search_result import Appetite, Found, named, was_left_out
from audit.neighbors.search.shrink import Holds, Shrinker, Trial, changed_at, fewest, simplest
from audit.neighbors.search.strategies import pairs as neighboring_pairs
from audit.neighbors.search.strategies import records
from audit.neighbors.search.tournament import Hunt, Refuted
from audit.relation import AnyRelation
from audit.source_code import NO_CONSTANTS, Constants

_LISTED = 4
"""Pairs of datasets that listed sequences are asked about."""
_PATIENT = (16, 1 / 12)
"""Fewer questions show less, and are what a reader wants: see `Trial`."""


def search_sessions(
    oracle: Oracle,
    questions: Questions,
    domain: Domain | None,
    relation: AnyRelation,
    known: Sequence[Pair],
    appetite: Appetite,
    seed: int,
    constants: Constants = NO_CONSTANTS,
) -> Found:
    """The pairs and the questions on which a claim is most likely to fall.

    Where there is no domain, only known pairs are asked about, of which there is at least one. For
    the appetite, the seed and constants see `search_pairs`. The result is the smallest refuted pair
    with the fewest questions, and the one it was shrunk from; where none was refuted the best two,
    and the simplest. It is the same for the same seed and the same answers.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    found = () if domain is None else listed_pairs(domain, relation, constants)
    listed = (*known, *found)[:_LISTED]
    hunt = Hunt(oracle, seed, appetite.kept)
    simplest_ones = [asked(pair, sequence) for sequence in questions.listed() for pair in listed]
    oracle.allow(appetite.listed)
    refuted = hunt.among(simplest_ones)
    if refuted is None and not hunt.blind:
        oracle.allow(appetite.runs)
        if domain is None:
            made_up = st.sampled_from([*known])
        else:
            made_up = neighboring_pairs(domain, relation, constants=constants)
        refuted = hunt.beyond(_sessions(made_up, questions), appetite.examples)
    if refuted is not None:
        return _shrunk(hunt, refuted, questions, domain, appetite)
    tried = ([candidate.pair for candidate in hunt.best], simplest_ones)
    best, usable = ([p for p in ps if not was_left_out(p, hunt.left_out)] for ps in tried)
    pairs = named([*best, *(pair for pair in usable[:1] if pair not in best)])
    return Found(pairs, False, hunt.pairs, left_out=tuple(hunt.left_out))


def _sessions(made_up: SearchStrategy[Pair], questions: Questions) -> SearchStrategy[Pair]:
    if questions.domain is None:
        return made_up.map(lambda pair: asked(pair, questions.fixed))
    one = records(questions.domain)
    sequences = st.lists(one, min_size=questions.fewest, max_size=questions.most)
    return st.builds(asked, made_up, sequences)


def _shrunk(
    hunt: Hunt, refuted: Refuted, questions: Questions, domain: Domain | None, appetite: Appetite
) -> Found:
    """Fewer and simpler questions, then fewer and simpler records, then questions again."""
    oracle, (pair, runs) = hunt.oracle, refuted
    oracle.allow(appetite.runs)
    trials = [Trial(runs, oracle, *_PATIENT)]
    smallest = _shorter_session(pair, questions, trials[0])
    if domain is not None:
        alone, sequence = unasked(smallest)
        oracle.allow(appetite.runs)
        runs = max(runs, trials[0].last)
        trials.append(Trial(runs, oracle, asking=partial(asked, questions=sequence)))
        smaller = Shrinker(alone, domain, trials[1]).shrunk()
        if trials[1].steps:
            oracle.allow(appetite.runs)
            trials.append(Trial(runs, oracle, *_PATIENT))
            smallest = _shorter_session(asked(smaller, sequence), questions, trials[2])
    tried, steps = sum(len(trial.seen) for trial in trials), sum(trial.steps for trial in trials)
    pairs = named([smallest, pair][: 1 + bool(steps)])
    return Found(pairs, True, hunt.pairs + tried, steps, tuple(hunt.left_out))


def _shorter_session(pair: Pair, questions: Questions, trial: Trial) -> Pair:
    """The pair with the fewest and simplest questions found on which the claim falls."""
    if questions.domain is None or not trial.starts_at(pair):
        return pair
    alone, sequence = unasked(pair)

    def holds(tried: tuple[Any, ...]) -> bool:
        return len(tried) >= questions.fewest and trial.refuted(asked(alone, tried))

    shorter = fewest(sequence, holds, finest=len(sequence))
    for at in range(len(shorter)):
        shorter = changed_at(shorter, at, _simplest(questions.domain, shorter, at, holds))
    return pair if shorter == sequence else asked(alone, shorter)


def _simplest(domain: Domain, sequence: tuple[Any, ...], at: int, holds: Holds) -> Any:
    return simplest(domain, sequence[at], lambda other: holds(changed_at(sequence, at, other)))

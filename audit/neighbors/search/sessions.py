"""Looking for the worst questions together with the worst neighbors, and for the fewest.

The search is the one for datasets: what is asked is part of a dataset there, and the
same for both of a pair. Whatever it finds is only a place to bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from audit.neighbors import Pair
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import key
from audit.neighbors.questions import Questions, asked, asked_of_all, unasked
from audit.neighbors.search.find import listed_pairs
from audit.neighbors.search.oracle import Failed, Law, Oracle, Scale
from audit.neighbors.search.search_result import Appetite, Found, named, was_left_out
from audit.neighbors.search.shrink import Shrinker, Trial, simplest
from audit.neighbors.search.strategies import pairs as neighboring_pairs
from audit.neighbors.search.strategies import records
from audit.neighbors.search.tournament import Hunt, Refuted
from audit.relation import AnyRelation
from audit.source_code import NO_CONSTANTS, Constants

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LISTED = 4
"""Pairs of datasets that listed sequences are asked about."""
_PATIENT = (16, 1 / 12)
"""Fewer questions show less, and are what a reader wants: see `Trial`."""


@dataclass(slots=True)
class AskedOracle:
    """Oracle on pairs of datasets with a fixed list of questions.

    Attributes:
        oracle: knows pairs with questions.
        questions: what is asked.
        known: pairs with questions by those without.
    """

    oracle: Oracle
    questions: tuple[Any, ...]
    known: WeakKeyDictionary[Pair, Pair]

    @property
    def scale(self) -> Scale:
        """See `Oracle.scale`."""
        return self.oracle.scale

    def allow(self, runs: int) -> None:
        """See `Oracle.allow`."""
        self.oracle.allow(runs)

    def score(self, pair: Pair, runs: int) -> float | None:
        """See `Oracle.score`."""
        return self.oracle.score(self._asked(pair), runs)

    def one_sided(self, pair: Pair, runs: int) -> int:
        """See `Oracle.one_sided`."""
        return self.oracle.one_sided(self._asked(pair), runs)

    def extent(self, pair: Pair) -> float:
        """See `Oracle.extent`."""
        return self.oracle.extent(self._asked(pair))

    def refutes(self, pair: Pair, runs: int) -> int | None:
        """See `Oracle.refutes`."""
        return self.oracle.refutes(self._asked(pair), runs)

    def law(self, data: Any) -> Law:
        """See `Oracle.law`."""
        return self.oracle.law({"data": data, "questions": [*self.questions]})

    def failure(self, data: Any) -> Failed | None:
        """See `Oracle.failure`."""
        return self.oracle.failure({"data": data, "questions": [*self.questions]})

    def _asked(self, pair: Pair) -> Pair:
        found = self.known.get(pair)
        if found is None:
            found = self.known[pair] = asked(pair, self.questions)
        return found


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

    Args:
        oracle: what is asked about pairs with questions.
        questions: what may be asked.
        domain: what a record may be; None where only known pairs are asked about.
        relation: what makes datasets neighbors.
        known: pairs of datasets that are given, at least one where there is no domain.
        appetite: how much to spend.
        seed: of the audit.
        constants: of the code, which are tried as records and as sizes.

    Returns:
        The smallest refuted pair with the fewest questions, and the one it was shrunk from;
        where none was refuted the best two, and the simplest. The same for the same seed and
        the same answers.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    found = () if domain is None else listed_pairs(domain, relation, constants)
    listed = (*known, *found)[:_LISTED]
    hunt = Hunt(oracle, seed, appetite.kept)
    simplest_ones = tuple(asked_of_all(listed, questions))
    oracle.allow(appetite.listed)
    refuted = hunt.among(simplest_ones)
    if refuted is None and not hunt.blind:
        oracle.allow(appetite.runs)
        made_up = _pairs(domain, relation, known, constants)
        refuted = hunt.beyond(_sessions(made_up, questions), appetite.examples)
    if refuted is not None:
        return _shrunk(hunt, refuted, questions, domain, appetite)
    best = [candidate.pair for candidate in hunt.best]
    usable = (p for p in simplest_ones if not was_left_out(p, hunt.left_out))
    kept = [pair for pair in best if not was_left_out(pair, hunt.left_out)]
    pairs = named([*kept, *(pair for pair in islice(usable, 1) if pair not in kept)])
    return Found(pairs, False, hunt.pairs, left_out=tuple(hunt.left_out))


def _pairs(
    domain: Domain | None, relation: AnyRelation, known: Sequence[Pair], constants: Constants
) -> SearchStrategy[Pair]:
    """Pairs of datasets without questions."""
    from hypothesis import strategies as st

    if domain is None:
        return st.sampled_from([*known])
    return neighboring_pairs(domain, relation, constants=constants)


def _sessions(made_up: SearchStrategy[Pair], questions: Questions) -> SearchStrategy[Pair]:
    from hypothesis import strategies as st

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
    trial = Trial(runs, oracle, *_PATIENT)
    asking = QuestionShrinker(questions, trial)
    first = asking.shrunk(pair)
    tried, steps = len(asking.seen), asking.steps
    smallest = first
    if domain is not None:
        alone, sequence = unasked(first)
        oracle.allow(appetite.runs)
        about = AskedOracle(oracle, sequence, WeakKeyDictionary())
        runs = max(runs, trial.last)
        shrinker = Shrinker(alone, runs, domain, about)
        smaller = shrinker.shrunk()
        tried, steps = tried + len(shrinker.seen), steps + shrinker.steps
        if shrinker.steps:
            oracle.allow(appetite.runs)
            smallest = asked(smaller, sequence)
            again = QuestionShrinker(questions, Trial(runs, oracle, *_PATIENT))
            smallest = again.shrunk(smallest)
            tried, steps = tried + len(again.seen), steps + again.steps
    pairs = named([smallest, pair][: 1 + bool(steps)])
    return Found(pairs, True, hunt.pairs + tried, steps, tuple(hunt.left_out))


class QuestionShrinker:
    """Makes a sequence of questions shorter and simpler while the claim falls on it.

    Attributes:
        seen: sequences that were tried, and whether the claim fell.
        steps: how many of them it fell on.
    """

    def __init__(self, questions: Questions, trial: Trial) -> None:
        """Try nothing yet.

        Args:
            questions: what may be asked.
            trial: tells whether the claim falls on a pair.
        """
        self._questions, self._trial = questions, trial
        self.seen: dict[Any, bool] = {}
        self.steps = 0

    def shrunk(self, pair: Pair) -> Pair:
        """The pair with the fewest and simplest questions found."""
        if self._questions.domain is None or not self._trial.starts_at(pair):
            return pair
        self._alone, sequence = unasked(pair)
        fewer = self._simpler(self._fewer(sequence))
        return pair if fewer == sequence else asked(self._alone, fewer)

    def _holds(self, sequence: tuple[Any, ...]) -> bool:
        if len(sequence) < self._questions.fewest:
            return False
        name = key(sequence)
        if name not in self.seen:
            self.seen[name] = self._trial.refuted(asked(self._alone, sequence))
            self.steps += self.seen[name]
        return self.seen[name]

    def _fewer(self, sequence: tuple[Any, ...]) -> tuple[Any, ...]:
        size = len(sequence) // 2
        while size:
            at = 0
            while at < len(sequence):
                left = sequence[:at] + sequence[at + size :]
                if left != sequence and self._holds(left):
                    sequence = left
                else:
                    at += size
            size //= 2
        return sequence

    def _simpler(self, sequence: tuple[Any, ...]) -> tuple[Any, ...]:
        domain = self._questions.domain
        assert domain is not None
        for at in range(len(sequence)):

            def holds(question: Any, at: int = at, known: tuple[Any, ...] = sequence) -> bool:
                return self._holds((*known[:at], question, *known[at + 1 :]))

            question = simplest(domain, sequence[at], holds)
            sequence = (*sequence[:at], question, *sequence[at + 1 :])
        return sequence

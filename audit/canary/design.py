"""Designs of canaries, scores that belong to one, and checks that they do.

How members were chosen is declared by the user, never inferred. Impossible designs are refused,
doubtful ones noted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.relation import Relation

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Assignment(StrEnum):
    """The three ways that have a guarantee.

    COIN: each canary is put in by a coin of its own.
    PAIRS: of the two canaries of each pair, a fair coin puts one in.
    HALVES: a fixed number of canaries, drawn uniformly at random, is put in.
    """

    COIN = "coin"
    PAIRS = "pairs"
    HALVES = "halves"


_ONE_STEP = (Relation.SUBSTITUTE, Relation.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Coins of a design, and the distance between their two sides.

    A canary that is put in or left out makes two neighboring datasets: by
    adding or removing it, or by substituting it where something else stands in
    its place. Where one of two canaries is put in, the two datasets differ by
    one substitution: by an addition and a removal.

    Attributes:
        assignment: who is put in.
        probability: of being put in, for coins; 0.5 for pairs and halves.
        relation: of the claim.
    """

    assignment: Assignment = Assignment.COIN
    probability: float = 0.5
    relation: Relation = Relation.ADD_REMOVE

    @property
    def steps(self) -> int:
        """Number of steps between neighboring datasets from one side of a coin to the other."""
        coin = self.assignment is Assignment.COIN
        return 1 if coin or self.relation in _ONE_STEP else 2

    @property
    def coins(self) -> str:
        """Things that one coin decides about, in words."""
        return "canaries" if self.assignment is Assignment.COIN else "pairs of canaries"

    @property
    def larger_odds(self) -> float:
        """Odds of the likelier side of a coin."""
        return max(self.probability, 1.0 - self.probability) / min(
            self.probability, 1.0 - self.probability
        )

    def rates(self, epsilon: float) -> tuple[float, float]:
        """The largest probability of a right guess "in", and of a right guess "out".

        For a pure claim, whatever the output and the other coins. By Bayes'
        rule the posterior odds are at most e^epsilon times those of the coin
        (arXiv 2305.08846, Proposition 5.1 for fair coins), e^(2 epsilon) where
        two neighboring datasets in a row lead from one side to the other.
        """
        odds = math.log(self.probability / (1.0 - self.probability))
        loss = self.steps * epsilon
        return _logistic(loss + odds), _logistic(loss - odds)

    def delta(self, epsilon: float, delta: float) -> float:
        """The delta between the two sides of a coin: (1 + e^epsilon) delta for two steps.

        Group privacy: P <= e^epsilon (e^epsilon P'' + delta) + delta.
        """
        return delta if self.steps == 1 else min(1.0, (1.0 + math.exp(epsilon)) * delta)


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of canaries, with their members.

    Attributes:
        members: whether the canary was put in, shape (rows,).
        values: scores, where more speaks for "in" and NaN says nothing; or
            guesses 1 for "in", -1 for "out", 0 for none; shape (rows,).
        guessed: whether the values are guesses.
        runs: number of the run of training from 0, shape (rows,).
        run_names: how the runs are called.
        pairs: number of the pair from 0, of one run or of all; None where there are none.
        canaries: number of the canary from 0; None where nobody says.
    """

    members: Flags
    values: Floats
    guessed: bool
    runs: Codes
    run_names: tuple[str, ...]
    pairs: Codes | None = None
    canaries: Codes | None = None

    def __len__(self) -> int:
        return len(self.members)

    def rows_by_run(self) -> list[Codes]:
        """Places of the rows of each run."""
        order = np.argsort(self.runs, kind="stable")
        ends = np.cumsum(np.bincount(self.runs, minlength=len(self.run_names)))
        return np.split(order, ends[:-1])


_FEWEST = 20
"""Smaller runs and fewer distinct scores may repeat by chance."""

_SAME_RUNS = 3
"""So many runs have the same number of members seldom, if coins decide."""

_UNBELIEVABLE = 1e-9


def screen(scores: Scores, design: Design, *, declared: bool, warn: Callable[[str], None]) -> None:
    """Refuse scores that were not made as the design says, stated or by default.

    None of these checks can make a false alarm likelier: each only refuses. `warn` is told what may
    be wrong.

    Raises:
        InputError: the message says what is wrong and how to mend it.
    """
    _check_both_sides(scores)
    if not declared:
        _check_undeclared(scores)
    if design.assignment is Assignment.COIN:
        _check_coins(scores, design.probability)
        if _looks_fixed(scores):
            warn(
                f"{_members_told(scores)}: if their number was fixed, this audit does not hold; "
                "the assignment is then 'halves'"
            )
    if design.assignment is Assignment.PAIRS:
        _check_pairs(scores)
    _check_canaries(scores)
    _check_copies(scores, warn)
    _check_runs(scores)
    _check_values(scores, warn)


def _check_both_sides(scores: Scores) -> None:
    count, rows = int(scores.members.sum()), len(scores)
    if count in (0, rows):
        who = "a member" if count else "left out"
        raise InputError(
            f"each of the {rows:,} canaries is {who}; those on the other side of the coin are "
            "needed too, with their scores",
            rows,
        )


def _check_undeclared(scores: Scores) -> None:
    """Fixed halves or pairs are no coins: the last bits follow from the others."""
    if scores.pairs is not None:
        raise InputError(
            "there is a column of pairs, but no design is stated; state it with "
            "`assignment='pairs'`, or `assignment='coin'` if each canary had a coin of its own",
            "pair",
        )
    if _looks_fixed(scores):
        raise InputError(
            f"{_members_told(scores)}, as where their number is fixed; state the design with "
            "`assignment='halves'`, or `assignment='coin'` if it is chance",
            len(scores),
        )


def _looks_fixed(scores: Scores) -> bool:
    """True if all runs have half of their canaries in, or several all the same number."""
    counts = [(len(rows), int(scores.members[rows].sum())) for rows in scores.rows_by_run()]
    if min(size for size, _ in counts) < _FEWEST:
        return False
    halves = all(2 * members == size for size, members in counts)
    return halves or (len(counts) >= _SAME_RUNS and len(set(counts)) == 1)


def _members_told(scores: Scores) -> str:
    first = scores.rows_by_run()[0]
    canaries = "canaries" if len(scores.run_names) == 1 else "canaries of each run"
    return f"exactly {int(scores.members[first].sum()):,} of {len(first):,} {canaries} are members"


def _check_coins(scores: Scores, probability: float) -> None:
    from scipy.stats import binomtest

    for rows, name in zip(scores.rows_by_run(), scores.run_names, strict=True):
        members = int(scores.members[rows].sum())
        chance = float(binomtest(members, len(rows), probability).pvalue)
        if chance < _UNBELIEVABLE:
            where = "" if len(scores.run_names) == 1 else f" of run {name}"
            raise InputError(
                f"{members:,} of the {len(rows):,} canaries{where} are members, which coins of "
                f"probability {probability:g} give with probability {chance:.0e}; state theirs "
                "with `probability`, or another `assignment`",
                members,
            )


def _check_pairs(scores: Scores) -> None:
    if scores.pairs is None:
        raise InputError("no column tells who belongs together; name it with --pair NAME", "pair")
    keys = scores.runs * (int(scores.pairs.max()) + 1) + scores.pairs
    _, places, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    members = np.bincount(places, weights=scores.members)
    wrong = np.flatnonzero((sizes != 2) | (members != 1))
    if len(wrong):
        first = int(wrong[0])
        raise InputError(
            f"a pair of {int(sizes[first])} canaries with {int(members[first])} members is none: "
            "each pair has two canaries, one of them a member",
            first,
        )


def _check_values(scores: Scores, warn: Callable[[str], None]) -> None:
    """Scores that were made with the coins in sight."""
    known = ~np.isnan(scores.values)
    distinct = np.unique(scores.values[known])
    if not len(distinct):
        raise InputError("no canary has a score; give the scores of the trained model", len(scores))
    if scores.guessed:
        if not scores.values.any():
            raise InputError(
                "no canary is guessed: every guess is 0; give 1 (in) or -1 (out) for some",
                len(scores),
            )
        return
    if len(distinct) == 1:
        warn(f"all scores are {distinct[0]:g}: they tell nobody apart")
    if len(distinct) != 2:
        return
    if known.all() and np.array_equal(scores.values, scores.members) and len(scores) >= _FEWEST:
        raise InputError(
            "the scores are a copy of the column of members; give the scores of the trained model, "
            "or guesses 1 and -1 if that is what it says",
            len(scores),
        )
    warn(
        "the scores take two values only: if they were cut where most are right, with the members "
        "in sight, this audit does not hold; give the scores before the cut"
    )


def _check_canaries(scores: Scores) -> None:
    if scores.canaries is None:
        return
    keys = scores.runs * (int(scores.canaries.max()) + 1) + scores.canaries
    if len(np.unique(keys)) < len(keys):
        raise InputError(
            "a canary stands in two rows of one run; keep one of them, or name the column of runs "
            "with --run NAME",
            "canary",
        )


def _check_copies(scores: Scores, warn: Callable[[str], None]) -> None:
    """Rows that were copied would count the same coin twice."""
    if scores.guessed:
        return
    for rows in scores.rows_by_run():
        values = np.column_stack([scores.values[rows], scores.members[rows]])
        found, counts = np.unique(values[~np.isnan(values[:, 0])], axis=0, return_counts=True)
        if len(found) >= _FEWEST and counts.min() == counts.max() >= 2:
            raise InputError(
                f"each of the {len(found):,} scores stands there {int(counts[0])} times with the "
                "same member; give each canary once, or name the column of runs with --run NAME",
                len(found),
            )
        again = found[counts > 1, 0]
        distinct, kinds = np.unique(found[:, 0], return_counts=True)
        if len(again) >= _FEWEST and (kinds[np.isin(distinct, again)] == 1).all():
            warn(
                f"{len(again):,} scores stand there more than once, each always with the same "
                "member: if canaries were copied, their coins count twice; give each canary once"
            )


def _check_runs(scores: Scores) -> None:
    """Runs count apart only with fresh coins and fresh noise."""
    seen: dict[tuple[str, bytes], str] = {}
    for rows, name in zip(scores.rows_by_run(), scores.run_names, strict=True):
        columns = {"members": scores.members[rows].tobytes()}
        if not scores.guessed:
            columns["scores"] = scores.values[rows].tobytes()
        for what, content in columns.items() if len(rows) >= _FEWEST else ():
            other = seen.setdefault((what, content), name)
            if other != name:
                raise InputError(
                    f"run {name} has the same {what} as run {other}; runs count only with fresh "
                    "coins and fresh noise",
                    name,
                )

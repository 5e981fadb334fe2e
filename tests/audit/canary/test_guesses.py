"""Guesses follow from scores alone: ranks, ties, abstentions, pairs and halves."""

from __future__ import annotations

import numpy as np

from audit.canary.design import Assignment, Design
from audit.canary.guesses import Prefix, guesses_from
from tests.audit.canary.tables import noisy, scores_of

COIN = Design()
PAIRS, HALVES = (Design(assignment=a) for a in (Assignment.PAIRS, Assignment.HALVES))


def test_the_highest_scores_are_guessed_in_and_the_lowest_out_first() -> None:
    found = guesses_from(scores_of(member=[1, 0, 1, 0, 0, 1], score=[9, 8, 7, 3, 2, 1]), COIN, 0)
    assert found.ins.tolist() == [True, False, True]
    assert found.outs.tolist() == [False, True, True]


def test_who_is_guessed_does_not_depend_on_who_is_in() -> None:
    """The same scores with all coins turned around: what was right is wrong, in the same order."""
    members, values = noisy(301, 1.0)
    one, other = (
        guesses_from(scores_of(member=m, score=values), COIN, 7) for m in (members, ~members)
    )
    assert (one.ins == ~other.ins).all()
    assert (one.outs == ~other.outs).all()


def test_who_is_guessed_in_a_pair_does_not_depend_on_who_is_in() -> None:
    rng = np.random.default_rng(3)
    first = rng.random(30) < 0.5
    columns = {
        "score": np.round(rng.normal(0.0, 1.0, 60), 1),  # with ties
        "pair": np.repeat(np.arange(30), 2),
    }
    members = np.column_stack([first, ~first]).ravel()
    one, other = (
        guesses_from(scores_of(member=m, **columns), PAIRS, 7) for m in (members, ~members)
    )
    assert (one.ins == ~other.ins).all()


def test_halves_are_matched_blind_to_scores() -> None:
    """Scores turned around turn every guess around: the couples are the same."""
    members, values = noisy(60, 1.0)
    one, other = (
        guesses_from(scores_of(member=members, score=v), HALVES, 7) for v in (values, -values)
    )
    assert len(one) == min(members.sum(), (~members).sum())
    assert (one.ins == ~other.ins).all()


def test_rows_sorted_by_member_with_equal_scores_are_right_as_often_as_chance() -> None:
    members = np.arange(4000) < 2000
    for design in (COIN, HALVES):
        found = guesses_from(scores_of(member=members, score=np.zeros(4000)), design, 1)
        share = (found.ins.sum() + found.outs.sum()) / len(found)
        assert 0.45 < share < 0.55  # off by more with probability below 1e-9


def test_ties_are_broken_by_the_seed_alone() -> None:
    scores = scores_of(member=[1, 0] * 50, score=[0.0] * 100)
    found = [guesses_from(scores, COIN, seed).ins.tolist() for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_missing_scores_abstain() -> None:
    found = guesses_from(scores_of(member=[1, 0, 1, 0], score=[2.0, None, 1.0, 0.0]), COIN, 0)
    assert len(found) == 3
    pair = scores_of(member=[1, 0, 1, 0], score=[2.0, None, 1.0, 0.0], pair=[0, 0, 1, 1])
    assert len(guesses_from(pair, PAIRS, 0)) == 1


def test_guesses_of_others_are_taken_as_they_are() -> None:
    found = guesses_from(scores_of(member=[1, 0, 1, 0, 1], guess=[1, 1, -1, -1, 0]), COIN, 0)
    assert (len(found), found.right(Prefix(4, 0)), found.sided) == (4, 2, False)
    unfair = guesses_from(
        scores_of(member=[1, 0, 1, 0, 1], guess=[1, 1, -1, -1, 0]), Design(probability=0.6), 0
    )
    assert sorted(unfair.ins.tolist()) == sorted(unfair.outs.tolist()) == [False, True]


def test_guesses_of_others_about_pairs_count_once_a_pair() -> None:
    """One coin a pair: both guesses right are one right guess, two equal ones are none."""
    columns = {"member": [1, 0, 0, 1, 1, 0, 1, 0], "guess": [1, -1, 1, -1, 1, 1, 1, 0]}
    found = guesses_from(scores_of(**columns, pair=[0, 0, 1, 1, 2, 2, 3, 3]), PAIRS, 0)
    assert sorted(found.ins.tolist()) == [False, True, True]
    assert (len(found.outs), found.sided) == (0, False)


def test_guesses_of_others_about_halves_are_compared() -> None:
    """That half of all are in says nothing about who of two is, one from either side."""
    members = np.random.default_rng(8).permutation(400) < 200
    right, blind = np.where(members, 1, -1), np.ones(400)
    assert guesses_from(scores_of(member=members, guess=right), HALVES, 0).ins.sum() == 200
    assert len(guesses_from(scores_of(member=members, guess=blind), HALVES, 0)) == 0


def test_coins_that_are_not_fair_are_guessed_in_their_proportion() -> None:
    members, values = noisy(1000, 1.0, probability=0.2)
    found = guesses_from(scores_of(member=members, score=values), Design(probability=0.2), 0)
    assert (len(found.ins), len(found.outs)) == (200, 800)


def test_each_run_is_ranked_by_itself() -> None:
    """Scores of a second run that lie ten higher change nothing."""
    members, values = noisy(400, 1.0)
    runs = np.arange(400) % 2
    one, other = (
        guesses_from(scores_of(member=members, score=values + shift * runs, run=runs), COIN, 4)
        for shift in (0.0, 10.0)
    )
    assert (one.ins == other.ins).all()
    assert (one.outs == other.outs).all()


def test_surer_pairs_are_opened_first() -> None:
    scores = scores_of(member=[1, 0, 1, 0], score=[1.0, 2.0, 9.0, 1.0], pair=["a", "a", "b", "b"])
    assert guesses_from(scores, PAIRS, 0).ins.tolist() == [True, False]
    endless = scores_of(member=[1, 0], score=[np.inf, np.inf], pair=[1, 1])
    assert len(guesses_from(endless, PAIRS, 0)) == 1

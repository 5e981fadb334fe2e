"""The stated level holds, over every kind of output and claim, and whoever draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import distributed
import pytest
from audit.betting.capital import Capital
from audit.betting.odds import OddsPosition
from scipy.stats import binom

from audit.sampling.workers.processes import in_parallel
from tests.calibration.dependent import DEPENDENT
from tests.calibration.independent import INDEPENDENT
from tests.calibration.independent.large import LARGE
from tests.calibration.kind import Kind
from tests.calibration.outcome import Outcome, audited
from tests.calibration.study import jobs

ERROR = 1e-9
"""Chance that a test here fails although the level holds."""


def study(kinds: Sequence[Kind], rounds: int) -> list[Outcome]:
    return list(in_parallel(2, (partial(audited, *job) for job in jobs(kinds, rounds, 10_000))))


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [INDEPENDENT, DEPENDENT], ids=["independent", "dependent"])
def test_false_alarms_and_coverage_stay_within_their_level(kinds: Sequence[Kind]) -> None:
    outcomes = study(kinds, 1)
    for alpha in (0.05, 0.001):
        mine = [o for o in outcomes if o.alpha == alpha]
        most = binom.ppf(1 - ERROR, len(mine), alpha)
        assert sum(o.verdict == "violation" for o in mine) <= most
        assert sum(bool(o.above) for o in mine) <= most


PURE = tuple(kind for kind in LARGE if "delta" not in kind.claim)
"""With their budgets a claim that is smaller by 1 can be refuted."""


@pytest.fixture
def at_odds(monkeypatch: pytest.MonkeyPatch) -> list[OddsPosition]:
    """The bets at odds that are opened from now on."""
    opened: list[OddsPosition] = []
    open_one = Capital.bet_at_odds

    def noted(capital: Capital, position: OddsPosition) -> None:
        opened.append(position)
        open_one(capital, position)

    monkeypatch.setattr(Capital, "bet_at_odds", noted)
    return opened


@pytest.mark.slow
@pytest.mark.parametrize("kind", LARGE, ids=lambda kind: kind.name)
def test_bets_at_odds_keep_their_level(kind: Kind, at_odds: list[OddsPosition]) -> None:
    alpha, rounds = 0.05, 24
    found = [audited(kind, 20_000 + number, alpha) for number in range(rounds)]
    most = binom.ppf(1 - ERROR, rounds, alpha)
    assert len(at_odds) >= rounds / 4
    assert sum(o.log_evalue >= -math.log(alpha) for o in found) <= most
    assert sum(o.verdict == "violation" for o in found) <= most
    assert sum(bool(o.above) for o in found) <= most


@pytest.mark.slow
@pytest.mark.parametrize("kind", PURE, ids=lambda kind: kind.name)
def test_bets_at_odds_refute_what_loses_more(kind: Kind, at_odds: list[OddsPosition]) -> None:
    """With as many runs as win nearly always: one kind has noise of the system."""
    less = replace(kind, samples=2 * kind.samples, claim={**kind.claim, "epsilon": 4.0})
    found = [audited(less, 20_000 + number, 0.05) for number in range(8)]
    assert at_odds
    assert sum(o.verdict == "violation" for o in found) >= 6


@pytest.mark.slow
def test_what_keeps_its_noise_or_changes_its_ways_is_no_answer() -> None:
    for kind in DEPENDENT:
        if kind.undecided:
            assert audited(kind, 10_000, 0.05).verdict == "inconclusive"


@pytest.fixture
def all_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what would not be worth it: these audits are short."""
    monkeypatch.setattr("audit.sampling.workers.remote.WORTH_SENDING", 0.0)
    monkeypatch.setattr("audit.sampling.workers.interface._QUICK", 0.0)


REPEATABLE = tuple(kind for kind in INDEPENDENT if kind.name not in ("time-outs",))
"""Whether a run is late is a matter of the machine."""


@pytest.mark.slow
def test_who_draws_does_not_change_the_counts(all_is_sent: None) -> None:
    """Audits in this process, drawn by two others, and drawn by a Dask cluster."""
    few = REPEATABLE[::8]
    alone = [counts(audited(kind, 0, 0.05)) for kind in few]
    assert [counts(audited(kind, 0, 0.05, 2)) for kind in few] == alone
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with (
        start(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        connect(cluster) as client,
    ):
        executor = client.get_executor()
        assert [counts(audited(kind, 0, 0.05, 2, executor)) for kind in few] == alone


def counts(outcome: Outcome) -> tuple[str, str, float, dict[str, float]]:
    return outcome.kind, outcome.verdict, outcome.log_evalue, outcome.levels

"""The stated level holds, over every kind of output and claim."""

from __future__ import annotations

from typing import Any

import distributed
import pytest
from scipy.stats import binom

from tests.calibration.study import alarms, audited, jobs, missed, study

ERROR = 1e-9
"""Chance that a test here fails although the level holds."""


@pytest.mark.slow
def test_false_alarms_and_coverage_stay_within_their_level() -> None:
    outcomes = study(audits=520, workers=2, first_seed=10_000)
    for alpha in (0.05, 0.001):
        assert alarms(outcomes, alpha) <= binom.ppf(1 - ERROR, len(outcomes), alpha)
    above, known = missed(outcomes)
    assert above <= binom.ppf(1 - ERROR, known, 0.05)


@pytest.fixture
def all_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what would not be worth it: these audits are short."""
    monkeypatch.setattr("audit.sampling.workers.remote.WORTH_SENDING", 0.0)
    monkeypatch.setattr("audit.sampling.workers.interface._QUICK", 0.0)


@pytest.mark.slow
def test_who_draws_does_not_change_the_counts(all_is_sent: None) -> None:
    """Audits in this process, in two, drawn by two others, and drawn by a Dask cluster."""
    alone = study(audits=26, workers=1)
    assert study(audits=26, workers=2) == alone
    assert [audited(*job, workers=2) for job in jobs(26)] == alone
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with (
        start(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        connect(cluster) as client,
    ):
        executor = client.get_executor()
        assert [audited(*job, workers=2, executor=executor) for job in jobs(26)] == alone

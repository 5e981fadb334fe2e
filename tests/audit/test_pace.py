"""Forecasts of long audits, as flags for the command and as arguments for Python."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.case import Budget, Settings
from audit.engine import progress
from audit.engine.progress import Forecast, Pace
from audit.frontends.cli.invocation import as_flags
from audit.progress import Event, Looked, StageStarted, Warned
from tests.clock import Clock


def told(
    looks: list[tuple[float, int]],
    most: int = 400_000,
    seconds: float | None = None,
    *,
    quicker: bool = False,
    refuted_after: float = float("inf"),
) -> list[str]:
    """Warnings after looks at these moments, after so many runs."""
    clock = Clock()
    events: list[Event] = []
    forecast = Forecast(Pace(most, seconds, clock), quicker, events.append)
    forecast.heard(StageStarted("bets", 0))
    for moment, samples in looks:
        clock.time = 100.0 + moment
        forecast.heard(Looked("bets", samples, 0.5, refuted=samples > refuted_after))
    return [event.sentence for event in events if isinstance(event, Warned)]


SLOW = [(4.8, 16), (30.0, 100), (59.0, 197), (61.0, 203), (80.0, 267)]


def test_a_long_audit_is_foretold_once() -> None:
    (said,) = told(SLOW)
    assert said == (
        "at the pace so far, the budget of 400,000 runs takes about 33 h at most; `max_seconds` "
        "or a smaller `max_samples` ends it sooner"
    )
    assert as_flags(said).endswith("; --max-seconds or a smaller --max-samples ends it sooner")


def test_independent_calls_are_named_where_they_are_quicker() -> None:
    (said,) = told(SLOW, quicker=True)
    assert said.endswith(
        "ends it sooner, as does `assume=('independent-calls',)` if calls are independent"
    )
    assert "sooner, as does --assume independent-calls if" in as_flags(said)


@pytest.mark.parametrize(
    ("looks", "most", "seconds"),
    [
        ([(59.9, 16)], 400_000, None),  # units give few outputs at first
        ([(70.0, 15)], 400_000, None),  # too few to say
        ([(60.1, 16)], 70, None),  # soon over
        ([(60.1, 16)], 400_000, 60.0),  # somebody has set an end
        ([(3.0, 200_000)], 400_000, None),
    ],
)
def test_others_are_not(looks: list[tuple[float, int]], most: int, seconds: float | None) -> None:
    assert told(looks, most, seconds) == []


@pytest.mark.parametrize("searching", [False, True])
def test_the_search_shows_the_time_if_each_of_its_runs_is_a_call(searching: bool) -> None:
    clock = Clock()
    events: list[Event] = []
    pace = Pace(400_000, None, clock, searching=searching)
    forecast = Forecast(pace, False, events.append)
    forecast.heard(StageStarted("search", 0))
    clock.time += 60.0
    forecast.heard(Looked("search", 600, 0.5))
    assert any(isinstance(event, Warned) for event in events) is searching


def test_a_refutation_that_goes_on_is_said_once() -> None:
    looks = [(10.0, 100), (20.0, 200), (30.0, 300)]
    (said,) = told(looks, 40_000, refuted_after=100)
    assert as_flags(said) == (
        "enough evidence to refute after 200 runs; now the lower bound is measured: Ctrl-C ends it "
        "with the answer so far, --until violation stops here"
    )


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


@pytest.mark.lives
@pytest.mark.parametrize("assumed", [(), ("independent-calls",)])
def test_a_caller_in_python_is_warned(
    assumed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("_SOONEST", "_LONG", "_SAID"):
        monkeypatch.setattr(progress, name, 0.0)
    audit.run(noisy_count, epsilon=1.0, data=[1], neighbors=[[]], max_samples=3_000, assume=assumed)
    (record,) = caplog.records
    assert record.name == "audit"
    said = record.getMessage()
    assert said.startswith("at the pace so far, the budget of 3,000 runs takes about ")
    assert "`max_seconds` or a smaller `max_samples` ends it sooner" in said
    assert ("`assume=('independent-calls',)`" in said) is (not assumed)


def test_quick_and_slow_units_that_take_turns_share_the_estimate() -> None:
    """After a slow start; neither the youngest runs alone nor the first ones tell the rest."""
    clock = Clock()
    pace = Pace(40_000, None, clock)
    for moment, samples in ((0.0, 0), (10.0, 1_000), (20.0, 10_000), (40.0, 12_000)):
        clock.time = 100.0 + moment
        pace.hear(Looked("bets", samples, 0.5))
    assert pace.left == pytest.approx(28_000 * 30.0 / 11_000)


def test_bets_have_the_time_of_a_counterexample_until_there_is_one() -> None:
    """An audit of 60 seconds that had refuted nothing ended after 49."""
    settings = Settings(budget=Budget(max_samples=1_000, max_seconds=100.0))
    made = progress.Progress(settings, draws=None, began=0.0)  # type: ignore[arg-type]
    bets = made.deadline("bets")
    assert bets.ends == 80.0 and made.deadline("witness").ends == 88.0
    bets.met = True
    made.bet_longer()
    assert made.deadline("bets") is bets and not bets.met
    ends = [made.deadline(part).ends for part in ("bets", "witness", "diagnosis", "tables")]
    assert ends == sorted(ends) and 80.0 < ends[0] < ends[-1] == 100.0

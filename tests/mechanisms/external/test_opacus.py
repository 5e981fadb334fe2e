"""Steps of Opacus, as far as neither it nor PyTorch is needed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from audit.claims import GaussianDP
from audit.declaration import Later
from mechanisms.external.opacus import training
from mechanisms.external.opacus.calls import differing, held
from mechanisms.external.opacus.rows import REPEATED, alone, bags, heavy, records, sequences
from mechanisms.external.opacus.training import Rows, Training
from mechanisms.external.walks.opacus import asking, layers, loops, moved
from mechanisms.external.walks.opacus.asking import Asked

_TRAINING = Training(net=object, shape=(2,))


@pytest.fixture
def sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clipped sums that are those of the features."""

    def total(_: Training, rows: Rows) -> Rows:
        return np.asarray(rows[:, :-1].sum(axis=0))

    monkeypatch.setattr(training, "total", total)


@pytest.mark.usefixtures("sums")
def test_the_attacker_projects_on_the_line_on_which_the_sums_differ() -> None:
    more, less = np.array([[3.0, 4.0, 1.0], [1.0, 1.0, 1.0]]), np.array([[1.0, 1.0, 1.0]])
    np.testing.assert_allclose(training.direction(_TRAINING, (more, less)), [0.6, 0.8])


@pytest.mark.usefixtures("sums")
@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_sums_that_are_no_numbers_or_alike_have_a_line_all_the_same(value: float) -> None:
    more = np.array([[value, 0.0, 1.0]])
    found = training.direction(_TRAINING, (more, np.zeros((1, 3))))
    assert np.linalg.norm(found) == 1.0


@pytest.mark.usefixtures("sums")
def test_the_neighbor_lacks_the_record_that_moves_the_sum_most() -> None:
    rows = np.array([[1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    assert training.without_most(_TRAINING, rows).tolist() == rows[[0, 2]].tolist()
    rows[2, 0] = np.nan
    assert len(training.without_most(_TRAINING, rows)) == 2
    _, data, neighbor = differing(_TRAINING, rows[:2])
    assert isinstance(neighbor, Later) and neighbor.make().tolist() == data[:1].tolist()


def test_a_step_with_all_records_is_held_to_the_gaussian_mechanism() -> None:
    assert held(Training(net=object, shape=(1,), noise=2.0))["claims"] == GaussianDP(0.5)


def test_records_have_a_row_each_with_the_target_last() -> None:
    assert records(3).shape == (4, 4) and records(3, tokens=True)[:, :-1].min() >= 0
    assert records(3).tolist() == records(3).tolist() != records(3, seed=5).tolist()
    assert np.count_nonzero(alone(5).any(axis=1)) == 1
    assert bags(*REPEATED).shape == (4, 10)
    assert sequences([1, 3, 2], 0)[:, 0].tolist() == [1, 3, 2]
    assert heavy()[:, -1].tolist() == [1, 0, 0, 0, 0, 0]


def _walked(call: str, length: float) -> Asked:
    """A call by which a record moves the sum by this length."""
    return Asked(call, _TRAINING, np.array([[length, 0.0, 0.0], [1.0, 0.0, 0.0]]))


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of features, and a clipping norm of 2."""

    def total(_: Training, rows: Rows) -> Rows:
        return np.asarray(rows[:, :-1].sum(axis=0))

    def private(*_: Any) -> SimpleNamespace:
        return SimpleNamespace(optimizer=SimpleNamespace(max_grad_norm=2.0))

    monkeypatch.setattr(asking, "total", total)
    monkeypatch.setattr(asking, "Private", private)


@pytest.mark.usefixtures("walked")
def test_calls_that_move_sums_further_than_noise_is_for_come_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [_walked("far", 5.0), _walked("no number", np.nan), _walked("near", 2.0)]
    monkeypatch.setattr(layers, "asked", lambda: found[:1])
    monkeypatch.setattr(loops, "asked", lambda: found[1:])
    assert moved.main() == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == ["1.000 near", "2.500 far", "nan no number"]
    assert printed.err == "2 of 3 calls move further than noise is for\n"
    monkeypatch.setattr(layers, "asked", list)
    monkeypatch.setattr(loops, "asked", lambda: found[2:])
    assert moved.main() == 0


def test_what_the_library_refuses_is_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> Rows:
        raise NotImplementedError("Parameter tying is not supported with Ghost Clipping")

    monkeypatch.setattr(asking, "total", refused)
    assert _walked("tied", 1.0).refused

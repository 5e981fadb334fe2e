"""Black boxes that change what is around them, or remember what was before."""

from __future__ import annotations

import contextlib
import copy
import itertools
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

from audit.blackbox.environment import left_as_found
from audit.outcomes.failed_run import failure_of
from tests.timeless import placeless

from .conftest import Audited

pytestmark = pytest.mark.slow


def test_other_types_now_and_then_are_outputs_like_any_other(audited: Audited) -> None:
    kinds: list[Any] = [1.0, 1, None, "a", [1.0, "b"], np.zeros(3), {"a": 1}, math_error, {1, 2}]

    def moody(data: Any, rng: Generator) -> Any:
        kind = kinds[rng.integers(len(kinds))]
        return kind() if callable(kind) else kind

    assert audited(moody).verdict == "not-refuted"


def math_error() -> float:
    return 1 / 0


@pytest.mark.parametrize("output", [np.nan, None, 1.0, "", [], np.empty(0), {}, -0.0])
def test_one_and_the_same_output_is_no_difference(audited: Audited, output: Any) -> None:
    assert audited(lambda data, rng: output).verdict == "inconclusive"
    assert audited(lambda data, rng, size: [output] * size).verdict == "inconclusive"


def test_nan_on_one_dataset_is_a_difference(audited: Audited) -> None:
    assert audited(lambda data, rng: data[0] or np.nan).verdict == "violation"


COUNTING: dict[str, Callable[[int], Any]] = {
    "counts": lambda n: n,
    "by turns": lambda n: n % 2,
    "in blocks": lambda n: n % 16 < 8,
    "in long blocks": lambda n: n // 64 % 2,
    "grows": lambda n: [n] * min(n, 9),
}


@pytest.mark.parametrize("habit", COUNTING)
def test_what_depends_on_earlier_runs_alone_is_not_blamed_on_the_data(
    audited: Audited, habit: str
) -> None:
    runs = itertools.count()
    result = audited(lambda data, rng: COUNTING[habit](next(runs)), max_samples=1_500)
    assert result.verdict != "violation"


@pytest.mark.parametrize("wrap", [lambda b: b, lambda b: b[::2], lambda b: [b], lambda b: (b, 1),
                                  lambda b: {"a": [b]}, lambda b: [b.tolist(), [b]]])  # fmt: skip
def test_outputs_that_share_one_buffer_are_read_apart(audited: Audited, wrap: Any) -> None:
    buffer, kept = np.zeros(4), np.zeros(4)

    def refills(data: Any, rng: Generator) -> Any:
        buffer[:] = data[0] + rng.laplace()
        return wrap(buffer)

    def anew(data: Any, rng: Generator) -> Any:
        kept[:] = data[0] + rng.laplace()
        return wrap(kept.copy())

    few = {"name": "box", "max_samples": 120}
    assert placeless(audited(refills, **few)) == placeless(audited(anew, **few))


def test_lists_that_are_filled_again_are_read_apart(audited: Audited) -> None:
    outer: dict[str, list[float]] = {"a": [0.0]}
    kept = [0.0]

    def refills(data: Any, rng: Generator) -> Any:
        outer["a"][0] = data[0] + rng.laplace()
        return outer

    def anew(data: Any, rng: Generator) -> Any:
        kept[0] = data[0] + rng.laplace()
        return {"a": [kept[0]]}

    few = {"name": "box", "max_samples": 120}
    assert placeless(audited(refills, **few)) == placeless(audited(anew, **few))


DATASETS: dict[str, tuple[Any, Any]] = {
    "array": (np.array([1.0, 2.0]), np.array([1.0])),
    "list": (["a", "b"], ["a"]),
    "nested lists": ([[1], [2]], [[1]]),
    "records": ([{"a": [1]}, {"a": [2]}], [{"a": [1]}]),
    "table": (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1]})),
    "table of lists": (pd.DataFrame({"a": [[1], [2]]}), pd.DataFrame({"a": [[1]]})),
}


def spoil(data: Any) -> None:
    """Change a dataset as deeply as its type allows."""
    if isinstance(data, np.ndarray):
        data += 7
    elif isinstance(data, pd.DataFrame):
        for cell in data["a"]:
            if isinstance(cell, list):
                cell.append(7)
        data.iloc[:, :] = 9
    else:
        with contextlib.suppress(AttributeError, TypeError):
            (data[0]["a"] if isinstance(data[0], dict) else data[0]).append(7)
        data.append(data[0])


@pytest.mark.parametrize("kind", DATASETS)
def test_changing_the_data_changes_no_later_run(audited: Audited, kind: str) -> None:
    data, neighbor = copy.deepcopy(DATASETS[kind])

    def spoils(data: Any) -> str:
        seen = repr(data)
        spoil(data)
        return f"{len(seen)} {seen[:5]}"

    result = audited(spoils, data=data, neighbors=[neighbor], relation="add-remove")
    assert result.verdict == "violation"
    assert result.witness is not None
    assert (result.witness.p.estimate, result.witness.q.estimate) == (1.0, 0.0)
    assert repr(data) == repr(DATASETS[kind][0])


SEARCHED: dict[str, Any] = {
    "domain": "float:0:1",
    "relation": "add-remove",
    "data": None,
    "neighbors": (),
}


def noisy(data: Any, rng: Generator) -> float:
    return float(np.sum(data) + rng.laplace())


def seeds_everything(data: Any, rng: Generator) -> float:
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)
    return noisy(data, rng)


def exhausts_everything(data: Any, rng: Generator) -> float:
    np.random.random(1000)  # noqa: NPY002
    random.randbytes(1000)
    return noisy(data, rng)


@pytest.mark.parametrize("function", [seeds_everything, exhausts_everything])
@pytest.mark.parametrize("where", [{}, SEARCHED], ids=["a pair", "a search"])
def test_global_generators_have_no_part_in_an_audit(
    audited: Audited, function: Any, where: dict[str, Any]
) -> None:
    expected = placeless(audited(noisy, name="box", **where))
    assert placeless(audited(function, name="box", **where)) == expected


def strict_everywhere(data: Any, rng: Generator) -> float:
    np.seterr(all="raise")
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "of the black box")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return noisy(data, rng)


def test_how_errors_and_warnings_are_treated_is_put_back(audited: Audited) -> None:
    def state() -> Any:
        handler = signal.getsignal(signal.SIGINT)
        return np.geterr(), list(warnings.filters), handler

    before = state()
    expected = placeless(audited(noisy, name="box"))
    assert placeless(audited(strict_everywhere, name="box")) == expected
    assert state() == before


def test_an_audit_leaves_the_process_as_it_was(audited: Audited, tmp_path: Path) -> None:
    def wanders(data: Any, rng: Generator) -> float:
        os.chdir(tmp_path)
        os.environ["ADDED"] = "1"
        return exhausts_everything(data, rng)

    before = os.getcwd(), dict(os.environ), global_numbers()
    audited(wanders, max_samples=80)
    assert (os.getcwd(), dict(os.environ), global_numbers()) == before


class Nameless(Exception):
    @property
    def outcome_name(self) -> str:
        raise RuntimeError


class Numbered(Exception):
    outcome_name = 3


@pytest.mark.parametrize("error", [Nameless, Numbered])
def test_exceptions_that_fail_when_looked_at_are_outputs_by_their_type(
    error: type[Exception],
) -> None:
    assert failure_of(error()).name == f"raised {error.__name__}"


def test_a_ctrl_c_handler_of_somebody_stays(audited: Audited) -> None:
    before = signal.signal(signal.SIGINT, mine := lambda *_: None)
    try:
        audited(strict_everywhere, max_samples=80)
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_process_is_left_as_it_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEPT", "as it is")
    before = os.getcwd(), dict(os.environ), sys.getrecursionlimit(), sys.stdout
    numbers = global_numbers()
    with contextlib.suppress(ValueError), left_as_found():
        os.chdir(tmp_path)
        os.environ.pop("KEPT")
        os.environ["ADDED"] = "1"
        sys.setrecursionlimit(5000)
        sys.stdout = sys.stderr
        exhausts_everything([0.0], np.random.default_rng(0))
        raise ValueError
    assert (os.getcwd(), dict(os.environ), sys.getrecursionlimit(), sys.stdout) == before
    assert global_numbers() == numbers


def global_numbers() -> Any:
    return random.getstate(), repr(np.random.get_state(legacy=False))  # noqa: NPY002


def test_a_folder_that_is_gone_is_nobody_s_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = tmp_path / "lost"
    lost.mkdir()
    monkeypatch.chdir(lost)
    with left_as_found():
        os.chdir(tmp_path)
        lost.rmdir()
    assert Path.cwd() == tmp_path

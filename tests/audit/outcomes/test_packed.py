"""Numbers packed in bytes are read as numbers, and bytes that hold none are not."""

from __future__ import annotations

import io
import struct
from array import array
from typing import Any

import numpy as np
import pytest

import audit
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.outcomes import numbers_in
from audit.outcomes.part_words import named
from audit.outcomes.text import kinds_of, packed_numbers

VALUES = np.random.default_rng(3).normal(size=(64, 2))


def as_npy(row: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, row)
    return file.getvalue()


@pytest.mark.parametrize(
    ("pack", "kind"),
    [
        (lambda row: struct.pack("<2d", *row), "float64"),
        (lambda row: struct.pack("!2d", *row), "big-endian float64"),
        (lambda row: array("f", row).tobytes(), "float32"),
        (lambda row: struct.pack("!3f", 1.0, *row), "big-endian float32"),
        (as_npy, "float64"),
        (lambda row: as_npy(row.astype(np.float32)), "float32"),
        (lambda row: struct.pack("<2q", *map(int, 100 * row)), "int64"),
        (lambda row: struct.pack("<3i", 7, *map(int, 100 * row)), "int32"),
    ],
)
def test_packed_numbers_are_columns(pack: Any, kind: str) -> None:
    held = [pack(row) for row in VALUES]
    assert kind in kinds_of(held)
    column = encode(held, len(held)).column(OUTPUT)
    names = numbers_in(column, OUTPUT)
    last = len(packed_numbers(held[0], kind))
    assert f"{kind} number {last} of output" in names
    read = encode(held, len(held)).column(f"{kind} number {last} of output").values
    wanted = np.array([int(100 * row[1]) if "int" in kind else row[1] for row in VALUES])
    assert np.allclose(read, wanted, rtol=1e-6)


def test_a_pair_of_short_numbers_is_not_only_taken_for_a_long_one() -> None:
    assert "float32" in kinds_of([row.astype(np.float32).tobytes() for row in VALUES])


@pytest.mark.parametrize("length", [8, 16, 5])
def test_other_bytes_hold_no_numbers(length: int) -> None:
    rng = np.random.default_rng(0)
    assert kinds_of([rng.bytes(length) for _ in range(64)]) == []
    assert kinds_of([b"some text" for _ in range(4)]) == []
    assert kinds_of([]) == []


def test_words_call_them_by_their_kind() -> None:
    assert named("float64 number 2 of output") == "float64 number 2 of the output"
    assert named("big-endian float32 number 1 of output['a']").startswith("big-endian float32")
    assert named("decimal number 1 of output") == "decimal number 1 of the output"


def packed(scale: float) -> Any:
    def box(data: Any, rng: np.random.Generator) -> bytes:
        return struct.pack("<d", float(np.sum(data)) + rng.laplace(scale=scale))

    return box


def with_commas(scale: float) -> Any:
    def box(data: Any, rng: np.random.Generator) -> str:
        return f"{np.sum(data) + rng.laplace(scale=scale):.4f} kg".replace(".", ",")

    return box


@pytest.mark.slow
@pytest.mark.parametrize("box", [packed, with_commas])
@pytest.mark.parametrize(("scale", "verdict"), [(0.5, "violation"), (1.0, "not-refuted")])
def test_too_little_noise_is_seen_in_them_and_enough_is_not_blamed(
    box: Any, scale: float, verdict: str
) -> None:
    pair: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}
    result = audit.run(box(scale), epsilon=1.0, alpha=0.01, max_samples=6000, name="box", **pair)
    assert result.verdict == verdict
    assert result.epsilon_lower <= 1.0 / scale


def test_decimal_commas_in_a_text_are_one_number() -> None:
    column = encode(["3,14 m", "-0,5 m", "1,000,000 m", "7 m"] * 4, 16)
    read = column.column("decimal number 1 of output")
    assert read.values[:2].tolist() == [3.14, -0.5]
    assert read.symbols is not None and (read.symbols[2:4] > 0).all()

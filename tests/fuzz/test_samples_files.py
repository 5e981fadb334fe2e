"""Whatever was recorded is outputs that can be audited, or is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.claims import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP
from audit.errors import AuditError, InputError
from audit.verdict.recorded.files import read_samples
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.run import samples

from .examples import examples
from .refusals import clear
from .test_data_files import BINARY, UTF16, columns, files
from .test_outputs import assert_whole
from .words import HOSTILE, json_texts, json_values, numerals, texts

CLAIMS = (
    PureDP(1.0),
    PureDP(300.0),
    ApproxDP(5e-324, 0.999),
    ZCDP(0.1),
    RenyiDP(2.0, 1.0),
    GaussianDP(1e-9),
)
ALPHAS = (0.001, 0.999999, 1e-9)

values = st.floats() | st.sampled_from([0.0, 1.0, 1e308, -1e308, 5e-324, 1e16, np.inf, np.nan])
recorded = st.one_of(
    st.lists(values.map(repr), min_size=1, max_size=30),
    st.lists(numerals | texts, max_size=10),
    st.lists(texts, max_size=5),
    st.lists(json_texts, max_size=10),
)


def samples_of(path: Path, column: str | None) -> Recording | None:
    """The outputs, None where they are refused in one line."""
    try:
        found = read_samples(path, column)
    except InputError as error:
        clear(str(error))
        return None
    assert len(found) > 0
    assert isinstance(found.outputs, list) or found.outputs.dtype == np.float64
    for note in found.notes:
        clear(note)
    return found


@examples(130)
@given(files, columns)
@example((b"1\n2\n\0\n", ".txt"), None)
@example(UTF16, None)
@example((b"[1" + b"0" * 400 + b"]", ".json"), None)
def test_any_file_is_outputs_or_refused(
    tmp_path: Path, file: tuple[bytes, str], column: str | None
) -> None:
    content, suffix = file
    path = tmp_path / f"recorded{suffix}"
    path.write_bytes(content)
    found = samples_of(path, column)
    assert found is None or b"\0" not in content or suffix in BINARY


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_cannot_be_are_refused(name: str) -> None:
    assert samples_of(Path(f"nowhere/{name}"), None) is None
    assert samples_of(Path(f"{name}/nowhere"), None) is None


@examples(40)
@given(st.lists(st.lists(json_values, max_size=3), min_size=1, max_size=5))
def test_outputs_in_json_lines_are_those_in_one_list(tmp_path: Path, outputs: list[Any]) -> None:
    whole, lines = tmp_path / "a.json", tmp_path / "a.jsonl"
    whole.write_text(json.dumps(outputs))
    lines.write_text("\n".join(map(json.dumps, outputs)))
    one, other = samples_of(whole, None), samples_of(lines, None)
    if one is not None and other is not None:
        np.testing.assert_equal(one.outputs, other.outputs)


@pytest.mark.slow
@examples(40)
@given(
    st.lists(recorded.map("\n".join), min_size=1, max_size=3),
    st.sampled_from([".txt", ".jsonl", ".csv"]),
    st.sampled_from(CLAIMS),
    st.sampled_from([1, 2, 7]),
    st.sampled_from(ALPHAS),
)
def test_whatever_was_recorded_gets_a_whole_answer(
    tmp_path: Path, held: list[str], suffix: str, claim: Any, bins: int, alpha: float
) -> None:
    paths = [tmp_path / f"D{place}{suffix}" for place in range(len(held))]
    for path, text in zip(paths, held, strict=True):
        path.write_text(text, "utf-8", "replace")
    try:
        result = samples(paths, claim, bins=bins, alpha=alpha, null=len(held) == 1)
    except AuditError as error:
        clear(str(error))
        return
    assert_whole(result)

"""Data that a mechanism of the catalogue cannot use."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Audit


@pytest.mark.parametrize(
    ("data", "content"),
    [('["a", "b"]', ""), ("ages.json", '["a", null]'), ("adult.data", "no, such\nrows\n")],
)
def test_data_of_another_kind_are_refused_in_one_line(
    audit: Audit, here: Path, data: str, content: str
) -> None:
    if content:
        (here / data).write_text(content)
    run = audit("noisy-average", "--data", data, "--max-samples", "80")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "internal error" not in run.err

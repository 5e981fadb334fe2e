"""Tables of scores: four kinds of file say the same, and wrong cells are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.canary.design import Scores
from audit.canary.scores import read_table, scores_in, table_of
from audit.errors import InputError

TABLE = pd.DataFrame({"member": [1, 0, 1], "score": [0.5, np.nan, -2.0], "run": ["a", "b", "a"]})


def written(folder: Path, ending: str) -> Path:
    path = folder / f"scores{ending}"
    match ending:
        case ".csv" | ".dat":
            TABLE.to_csv(path, index=False)
        case ".tsv":
            TABLE.to_csv(path, index=False, sep="\t")
        case ".parquet":
            TABLE.to_parquet(path)
        case ".jsonl":
            TABLE.to_json(path, orient="records", lines=True)
        case ".json":
            TABLE.to_json(path, orient="records")
        case ".npz":
            np.savez(
                path,
                member=TABLE["member"].to_numpy(),
                score=TABLE["score"].to_numpy(),
                run=TABLE["run"].to_numpy(dtype=str),
            )
    return path


def read(table: Any, **names: Any) -> Scores:
    lower = names.pop("lower_is_member", False)
    return scores_in(table, names, "the table", lower_is_member=lower)


@pytest.mark.parametrize("ending", [".csv", ".dat", ".tsv", ".parquet", ".jsonl", ".json", ".npz"])
def test_every_kind_of_file_says_the_same(tmp_path: Path, ending: str) -> None:
    found = read(read_table(written(tmp_path, ending)))
    assert found.members.tolist() == [True, False, True]
    np.testing.assert_array_equal(found.values, [0.5, np.nan, -2.0])
    assert found.runs.tolist() == [0, 1, 0]
    assert (found.run_names, found.guessed, found.pairs) == (("a", "b"), False, None)


def test_columns_may_have_other_names() -> None:
    table = pd.DataFrame({"in": [True, False], "loss": [0.1, 0.9]})
    found = read(table, member="in", score="loss", lower_is_member=True)
    assert found.values.tolist() == [-0.1, -0.9]
    assert found.members.tolist() == [True, False]


@pytest.mark.parametrize(
    ("columns", "names", "said"),
    [
        ({"score": [1.0]}, {}, "has no column 'member' .it has score.; say which one"),
        ({"c0": [1], "c1": [1.0]}, {}, "'member' .it has no header line, only c0, c1."),
        (
            {"member;score": ["1;0.5"]},
            {"member": "member"},
            "semicolons between its columns, as in 'member;score'",
        ),
        ({"member": [1], "loss": [1.0]}, {}, "neither a column 'score' nor 'guess'"),
        ({"member": [1], "score": [1.0]}, {"score": "loss"}, "no column 'loss'; it has member"),
        ({"member": [], "score": []}, {}, "holds no canaries"),
        ({"member": [1, 2], "score": [1.0, 2.0]}, {}, "member 2 in row 2 of the table is not 1"),
        ({"member": [1, 0], "score": ["1", "x"]}, {}, "score 'x' in row 2 of the table is not"),
        ({"member": [1, 0], "guess": [1, 0.5]}, {}, "guess 0.5 in row 2 of the table is none of"),
    ],
)
def test_wrong_tables_are_refused_in_one_line(
    columns: dict[str, Any], names: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said) as error:
        read(pd.DataFrame(columns), **names)
    assert "\n" not in str(error.value)


def test_scores_come_before_guesses_and_that_is_told() -> None:
    told: list[str] = []
    table = pd.DataFrame({"member": [1, 0], "score": [2.0, 1.0], "guess": [1, -1]})
    found = scores_in(table, {}, "the table", warn=told.append)
    assert not found.guessed
    assert "choose by --score or --guess" in told[0]
    assert read(table, guess="guess").guessed
    with pytest.raises(InputError, match="speaks of scores, and here are guesses"):
        read(table, guess="guess", lower_is_member=True)


def test_arrays_of_unequal_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="differ in length: score 2, member 3"):
        table_of({"score": [1, 2], "member": [1, 0, 1]}, "the arguments")
    with pytest.raises(InputError, match="score in the arguments is 2 x 1"):
        table_of({"score": [[1], [2]]}, "the arguments")
    np.savez(tmp_path / "objects.npz", member=np.array([{}, 1], dtype=object))
    with pytest.raises(InputError, match="arrays of Python objects are never loaded"):
        read_table(tmp_path / "objects.npz")
    (tmp_path / "list.json").write_text("[1, 2]")
    with pytest.raises(InputError, match="write one a canary"):
        read_table(tmp_path / "list.json")

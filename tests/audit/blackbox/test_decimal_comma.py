"""3,14 is one number or two, by the locale; decimals are never taken for a list by mistake."""

from __future__ import annotations

import locale
from pathlib import Path

import pytest

import audit
from audit.blackbox import process
from audit.blackbox.process import decimal_comma, value_of, values_of
from audit.errors import InputError
from audit.verdict.recorded.files import read_samples
from tests.calls import here

__all__ = ["here"]


@pytest.fixture
def with_comma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "decimal_comma", lambda: True)


@pytest.mark.usefixtures("with_comma")
@pytest.mark.parametrize(
    ("line", "value"),
    [("3,14", 3.14), ("-0,05", -0.05), ("3.5", 3.5), ("3, 14", [3.0, 14.0]), ("1,2,3", [1, 2, 3])],
)
def test_where_the_locale_says_so_it_is_a_number(line: str, value: object) -> None:
    assert value_of(line) == value


@pytest.mark.usefixtures("with_comma")
def test_whole_numbers_beside_it_are_numbers_too() -> None:
    assert values_of(["3,14", "3", "2,5"]) == [3.14, 3.0, 2.5]


@pytest.mark.parametrize(
    ("line", "value"),
    [("3,14", [3.0, 14.0]), ("3,05", "3,05"), ("3,0", [3.0, 0.0]), ("10,20", [10.0, 20.0])],
)
def test_elsewhere_it_is_a_list_unless_zeros_tell_that_it_is_none(line: str, value: object) -> None:
    assert value_of(line) == value


@pytest.mark.parametrize(("point", "comma"), [(",", True), (".", False)])
def test_the_locale_is_asked_and_left_as_it_was(
    point: str, comma: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = locale.setlocale(locale.LC_NUMERIC)
    monkeypatch.setattr(locale, "localeconv", lambda: {"decimal_point": point})
    monkeypatch.setattr(locale, "setlocale", lambda category, name=None: before)
    assert decimal_comma.__wrapped__() is comma


def test_a_locale_that_is_not_there_has_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    before = locale.setlocale(locale.LC_NUMERIC)
    monkeypatch.setenv("LC_ALL", "xx_XX")
    assert decimal_comma.__wrapped__() is False
    assert locale.setlocale(locale.LC_NUMERIC) == before


@pytest.mark.parametrize("read", [audit.read_data, read_samples])
@pytest.mark.parametrize("text", ["a;b\n3,14;2\n2,50;3\n", "3,14;2\n2,50;3\n"])
def test_a_table_with_semicolons_is_refused_and_told(read: object, text: str, here: Path) -> None:
    Path("data.csv").write_text(text)
    with pytest.raises(InputError, match="semicolons between its columns and commas in front"):
        read("data.csv")  # type: ignore[operator]


@pytest.mark.usefixtures("here")
def test_texts_with_semicolons_are_a_column() -> None:
    Path("data.csv").write_text("words\nfoo;bar\nfoo\n")
    assert audit.read_data("data.csv")["words"].tolist() == ["foo;bar", "foo"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("text", "told"),
    [("3,14\n2,50\n", True), ("a,b\n3,14\n2,50\n", False), ("3.0,14\n2.5,50\n", False)],
)
def test_recorded_rows_that_may_be_decimals_are_told(text: str, told: bool) -> None:
    Path("outputs.csv").write_text(text)
    samples = read_samples("outputs.csv")
    assert any("rows such as 3,14 were read as two numbers" in n for n in samples.notes) == told


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["outputs.txt", "outputs.csv"])
def test_recorded_texts_with_a_decimal_comma_are_no_lists(name: str) -> None:
    lines = ["3,14", "2,50", "0,05"]
    quoted = "x\n" + "".join(f'"{line}"\n' for line in lines)
    Path(name).write_text(quoted if name.endswith("csv") else "\n".join(lines))
    assert list(read_samples(name).outputs) == lines

"""Bins in words."""

from __future__ import annotations

import dataclasses
import math

import pytest

from audit.report.formatting import aligned
from audit.report.tables import caption, digits_for, labels, largest, rows, title
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin

from .sample_results import exception_violation, not_refuted, violation


def _bin(low: float | None, high: float | None, label: str = "") -> Bin:
    one = Estimate(0.5, 0.4, 0.6)
    return Bin(low=low, high=high, label=label, p=one, q=one, ratio=one, reverse=one, flagged=False)


def test_edges_have_the_digits_that_tell_them_apart() -> None:
    assert digits_for([42.73, 42.74, 42.75]) == 4
    assert digits_for([1.0, 2.0]) == 3
    assert digits_for([1.0, math.nextafter(1.0, 2.0)]) == 17


def test_edges_a_rounding_error_apart_make_no_other_number_long() -> None:
    ends = [5.52, math.nextafter(5.52, 9.0), 5.53, 1.0 + 2.0 / 3.0 * 7.0]
    pairs = zip([-math.inf, *ends], [*ends, math.inf], strict=True)
    between = "[5.5200000000000005, 5.53)"
    assert labels([_bin(*pair) for pair in pairs if pair[0] != 5.52]) == [
        "< 5.52",
        between,
        "[5.53, 5.67)",
        ">= 5.67",
    ]


def test_bins_in_words() -> None:
    bins = [_bin(-math.inf, 1.0), _bin(1.0, 2.5), _bin(2.5, math.inf), _bin(None, None, "is nan")]
    assert labels(bins) == ["< 1", "[1, 2.5)", ">= 2.5", "NaN"]


def test_whole_numbers_and_symbols_in_words() -> None:
    bins = [
        _bin(-math.inf, 3.0, "< 3"),
        _bin(3.0, 4.0, "= 3"),
        _bin(4.0, 7.0, "4 to 6"),
        _bin(7.0, math.inf, ">= 7"),
        _bin(None, None, "is any other value"),
    ]
    assert labels(bins) == ["< 3", "3", "4 to 6", ">= 7", "anything else"]
    kinds = [_bin(None, None, f"is {kind}") for kind in ("raised ValueError", "float", "timed out")]
    assert labels(kinds, "kind of output") == ["raises ValueError", "of type float", "times out"]
    assert labels([_bin(None, None, "is missing")], "output['a']") == ["absent"]


def test_the_largest_ratio_has_its_interval_its_direction_and_its_place() -> None:
    (table,) = exception_violation().pairs
    assert largest(table).startswith(
        "ratio with the largest lower end: P[D1]/P[D] = ∞ [165, ∞] at raises ZeroDivisionError"
    )
    assert largest(violation().pairs[0]).startswith(
        "ratio with the largest lower end: P[D]/P[D1] = 29.3 [13.8, "
    )
    assert largest(dataclasses.replace(table, bins=())) == "no ratios"


def test_an_atom_is_one_number_and_opens_its_neighbor() -> None:
    after = math.nextafter(42.0, math.inf)
    bins = [_bin(-math.inf, 42.0), _bin(42.0, after), _bin(after, 43.0), _bin(43.0, math.inf)]
    assert labels(bins) == ["< 42", "= 42", "(42, 43)", ">= 43"]
    assert labels(bins[:2] + [_bin(after, math.inf)])[2] == "> 42"


def test_the_last_bin_of_recorded_samples_holds_its_end() -> None:
    end = math.nextafter(42.84, math.inf)
    assert labels([_bin(40.0, 41.0), _bin(41.0, end)]) == ["[40, 41)", "[41, 42.8]"]


def test_one_bin_for_all_numbers() -> None:
    assert labels([_bin(-math.inf, math.inf)]) == ["any number"]


def test_rows_keep_flags_and_both_directions() -> None:
    (table,) = exception_violation().pairs
    mark, *_, ratio, reverse = rows(table)[0]
    assert mark == "!"
    assert ratio.startswith("0 [0, ")
    assert reverse.startswith("∞ [")


def test_bins_in_which_nothing_fell_have_no_row() -> None:
    (table,) = exception_violation().pairs
    nothing = Estimate(0.0, 0.0, 0.01)
    empty = dataclasses.replace(table.bins[0], p=nothing, q=nothing)
    cut = dataclasses.replace(table, bins=(empty, *table.bins[1:]))
    assert len(rows(cut)) == len(rows(table)) - 1


def test_titles_name_the_pair_once() -> None:
    (table,) = violation().pairs
    assert title(table) == "D1 is D without the record with the largest value (90)"
    assert "marked !" in caption(table)
    assert "no bin is flagged" in caption(not_refuted().pairs[0])


def test_cells_stand_below_each_other() -> None:
    rows = [("name", "runs"), ("a", "1,000"), ("long name", "")]
    assert aligned(rows) == ["name       runs", "a          1,000", "long name"]


def test_an_empty_first_column_indents() -> None:
    assert aligned([("", "a"), ("", "b")]) == ["  a", "  b"]


def test_no_rows_are_no_lines() -> None:
    assert aligned([]) == []


def test_rows_of_unequal_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        aligned([("a", "b"), ("c",)])

"""What has to fit on one screen does, and says what it leaves out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from audit.report.fitted import Section, fitted, joined

SECTIONS = st.lists(
    st.builds(
        lambda lines, least, rank: Section([f"line {i}" for i in range(lines)], least, rank),
        st.integers(0, 40),
        st.integers(1, 6),
        st.integers(0, 3),
    ),
    max_size=8,
)


def test_sections_of_high_rank_are_cut_first() -> None:
    first, second = Section(["a"] * 10, 2, 0), Section(["b"] * 10, 2, 1)
    kept = fitted([first, second], 15)
    assert kept[0].lines == first.lines
    assert kept[1].lines == ["b"] * 3 + ["  … 7 more lines"]
    assert joined(kept).count("\n") == 15
    assert [len(section.lines) for section in fitted([first, second], 8)] == [5, 2]


def test_what_fits_stays_as_it_is() -> None:
    sections = [Section(["a", "b"], 1, 0), Section([], 3, 1), Section(["c"], 1, 2)]
    assert joined(fitted(sections, 4)) == "a\nb\n\nc\n"


@given(SECTIONS, st.integers(10, 80))
def test_nothing_is_lost_without_a_word(sections: list[Section], most: int) -> None:
    kept = fitted(sections, most)
    given_lines = [section for section in sections if section.lines]
    assert len(kept) == len(given_lines)
    least = sum(min(s.least, len(s.lines)) for s in given_lines) + max(0, len(given_lines) - 1)
    assert joined(kept).count("\n") <= max(most, least, 1)
    for before, after in zip(given_lines, kept, strict=True):
        if len(after.lines) < len(before.lines):
            shown = len(after.lines) - 1
            assert after.lines[-1] == f"  … {len(before.lines) - shown} more lines"
        else:
            assert list(after.lines) == list(before.lines)

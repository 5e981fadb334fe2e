"""Events in words: true of the outputs that they hold, and of no others."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.betting.events import describe, subject
from audit.outcomes.binning import Binning, learned
from audit.outcomes.encoding import KIND, Column, encode
from audit.outcomes.features import (
    Distance,
    Feature,
    LocationScore,
    LowBits,
    Part,
    Pattern,
    Summary,
    TwoParts,
)
from audit.outcomes.fitted_features import SeenBefore, WeightedScore, binned_score
from audit.outcomes.label_features import LabelBeside, ShapeOfTexts
from audit.outcomes.number_features import FirstDigit, ShapeOfParts
from audit.outcomes.part_words import named
from audit.outcomes.symbols import MISSING
from tests.bettings import bettings
from tests.sayings import holds


def words(feature: Feature, binning: Binning, bins: list[int]) -> str:
    mask = np.isin(np.arange(binning.count), bins)
    return describe(feature, binning, mask).description


@given(bettings(), st.booleans(), st.data())
def test_a_sentence_is_true_of_the_outputs_in_the_event_and_of_no_others(
    betting: tuple[Binning, Any, Any], whole: bool, data: st.DataObject
) -> None:
    known = betting[0]
    binning = Binning.of(known.edges, known.symbols, whole=whole)
    bins = st.lists(st.booleans(), min_size=binning.count, max_size=binning.count)
    mask = np.array(data.draw(bins.filter(any)))
    said = describe(Part("output"), binning, mask).description
    numbers = [-1e300, *np.arange(-5.0, 6.0, 1.0 if whole else 0.5), 1e300]
    names = ("", *binning.symbols, "unseen")
    values = np.array([*numbers, *np.zeros(len(names) - 1)])
    symbols = np.array([0] * len(numbers) + list(range(1, len(names))))
    held = mask[binning.code(Column(values, symbols, names))]
    for output, inside in zip([*numbers, *names[1:]], held, strict=True):
        assert holds(said, output, binning.symbols) == inside, (said, output)


@pytest.mark.parametrize(
    ("bins", "said"),
    [
        ([0], "the output is below 0"),
        ([3], "the output is at least 2.5"),
        ([1], "the output is at least 0 and below 1"),
        ([0, 3], "the output is below 0 or at least 2.5"),
        ([0, 1, 2, 3], "the output is a number"),
        ([4], "the output is NaN"),
        (
            [1, 3, 5],
            "the output is at least 0 and below 1, at least 2.5 or neither a number nor NaN",
        ),
        ([0, 4, 5], "the output is below 0, NaN or no number"),
    ],
)
def test_numbers_and_symbols(bins: list[int], said: str) -> None:
    assert words(Part("output"), Binning.of([0.0, 1.0, 2.5], ["nan"]), bins) == said


@pytest.mark.parametrize(
    ("bins", "said"),
    [
        ([1], "the output is exactly 3"),
        ([1, 2], "the output is 3 or 4"),
        ([1, 2, 3], "the output is 3, 4 or 5"),
        ([1, 2, 3, 4], "the output is from 3 to 9"),
        ([0], "the output is below 3"),
        ([5], "the output is at least 10"),
    ],
)
def test_whole_numbers_are_listed_where_they_are_few(bins: list[int], said: str) -> None:
    binning = Binning.of([3.0, 4.0, 5.0, 6.0, 10.0], whole=True)
    assert words(Part("output"), binning, bins) == said


def test_bits_are_said_simply() -> None:
    binning = learned([Column(np.array([0.0, 1.0, 1.0, 0.0, 1.0]))], 8)
    assert binning.whole
    said = {words(Part("output"), binning, [code]) for code in range(binning.count - 1)}
    assert {"the output is exactly 0", "the output is exactly 1"} <= said


def test_a_number_that_comes_again_is_exactly_that_number() -> None:
    binning = Binning.of([0.1, np.nextafter(0.1, 1.0)])
    assert words(Part("output"), binning, [1]) == "the output is exactly 0.1"
    rounded = learned([Column(np.array([0.1] * 9 + [0.25, 0.7]))], 4)
    code = int(rounded.code(Column(np.array([0.1])))[0])
    assert words(Part("output"), rounded, [code]) == "the output is 0.1 up to rounding"


def test_ends_of_bins_are_the_outputs_next_to_them() -> None:
    rounded = np.round(np.random.default_rng(0).laplace(5.0, 1.0, 400), 2)
    binning = learned([Column(rounded)], 16)
    said = [words(Part("output"), binning, [*range(code, binning.numeric)]) for code in range(1, 9)]
    end = r"(?:at least|above|below|at most) \S{1,5} up to rounding"
    assert all(re.fullmatch(rf"the output is {end}", one) for one in said)
    inner = words(Part("output"), binning, [3, 4])
    assert re.fullmatch(rf"the output is (?:at least|above) \S{{1,5}} and {end}", inner)
    codes = binning.code(Column(rounded))
    for first, last in ((0, 2), (3, 4), (5, binning.numeric - 1)):
        sentence = words(Part("output"), binning, [*range(first, last + 1)])
        inside = (first <= codes) & (codes <= last)
        assert [holds(sentence, float(x), ()) for x in rounded] == inside.tolist()
    exact = Binning.of([2.0**0.5])
    assert words(Part("output"), exact, [1]) == "the output is at least 1.4142135623730951"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("raised ValueError", "the mechanism raises ValueError"),
        ("timed out", "the mechanism times out"),
        ("exit code 3", "the mechanism ends with exit code 3"),
        ("killed by SIGSEGV", "the mechanism is killed by SIGSEGV"),
        ("more than 64 bytes of output", "the mechanism writes more than 64 bytes of output"),
        ("no output file", "the mechanism writes no output file"),
        ("None", "the output is None"),
        ("float", "the output is of type float"),
        ("list of 3", "the output is of type list of 3"),
    ],
)
def test_a_failure_is_named(kind: str, said: str) -> None:
    binning = Binning.of([], [kind, "other"])
    assert words(Part(KIND), binning, [1]) == said


def test_failures_beside_outputs() -> None:
    binning = Binning.of([], ["raised ValueError", "float", "timed out"])
    assert words(Part(KIND), binning, [1, 3]) == ("the mechanism raises ValueError or times out")
    assert words(Part(KIND), binning, [1, 2]) == (
        "the mechanism raises ValueError, or the output is of type float"
    )


@pytest.mark.parametrize(
    ("name", "here", "away"),
    [
        ("output['f']", "key 'f' is present", "key 'f' is absent"),
        ("output[0]['b']", "key 'b' of output[0] is present", "key 'b' of output[0] is absent"),
        ("output['f'] #2", "key 'f' #2 is present", "key 'f' #2 is absent"),
        ("output[0]", "output[0] is present", "output[0] is absent"),
        ("'x' in output", "'x' is in the output", "'x' is not in the output"),
        (
            "length of output",
            "the output has a length",
            "the output has no length",
        ),
        (
            "length of output['f']",
            "output['f'] has a length",
            "output['f'] has no length",
        ),
        (
            "number 2 of output['f']",
            "number 2 of output['f'] is present",
            "number 2 of output['f'] is absent",
        ),
        ("output", "there is a single answer", "there is no single answer"),
    ],
)
def test_parts_that_are_there_or_not(name: str, here: str, away: str) -> None:
    binning = Binning.of([2.0], [MISSING])
    assert words(Part(name), binning, [2]) == away
    assert words(Part(name), binning, [0, 1, 3]) == here
    assert "at least 2" in words(Part(name), binning, [1])


def test_what_is_said_to_be_present_is_there() -> None:
    """Learned from outputs of which some have the key: the sentence is true of each."""
    outputs: list[dict[str, Any]] = [{"f": 1.0}, {}, {"f": 2.0}, {"f": "text"}, {"g": 3.0}] * 8
    column = encode(outputs, len(outputs)).column("output['f']")
    binning = learned([column], 4)
    codes = binning.code(column)
    there = {int(code) for code, output in zip(codes, outputs, strict=True) if "f" in output}
    absent = sorted({*codes.tolist()} - there)
    assert words(Part("output['f']"), binning, absent) == "key 'f' is absent"
    everything = [code for code in range(binning.count) if code not in absent]
    assert words(Part("output['f']"), binning, everything) == "key 'f' is present"


@pytest.mark.parametrize(
    ("feature", "said"),
    [
        (Distance("output", 5.0), "the distance of the output from 5 is at least 2"),
        (TwoParts("output[0]", "-", "output[1]", 0.0), "output[0] - output[1] is at least 2"),
        (Summary("sum", (), 0.0), "the sum of the output is at least 2"),
        (Summary("largest", (), 0.0), "the largest entry of the output is at least 2"),
        (
            Summary("position of the largest", (), 0.0),
            "the position (from 0) of the largest entry of the output is at least 2",
        ),
        (Part("length of output"), "the length of the output is at least 2"),
        (FirstDigit("output"), "the first digit of the output is at least 2"),
        (SeenBefore("output", 1.0, (), ()), "the earlier occurrence of the output is at least 2"),
        (
            ShapeOfTexts("number of texts like the one before", ()),
            "the number of texts like the one before in the output is at least 2",
        ),
        (
            LabelBeside("output['a']", "largest", ()),
            "(output['a'], place of the largest number) is at least 2",
        ),
        (
            ShapeOfParts("number of neighbors of one sign", (), 1.0),
            "the number of neighbors of one sign of the output is at least 2",
        ),
    ],
)
def test_what_a_sentence_is_about(feature: Feature, said: str) -> None:
    assert words(feature, Binning.of([2.0]), [1]) == said


@pytest.mark.parametrize(
    ("other", "usual"), [("order of keys in output", "ascending"), ("output['a']", "absent")]
)
def test_parts_that_are_read_together_are_named_as_each_alone_is(other: str, usual: str) -> None:
    feature = Pattern(("length of output", other), (0.0, 0.0))
    binning = Binning.of([], ["(2, missing)", "(1, missing)", "(0, nan)"])
    two, one, none = f"(2, {usual})", f"(1, {usual})", "(0, NaN)"
    for bins, said in (
        ([0, 1], two),  # no pattern is a number
        ([1, 2], f"{two} or {one}"),
        ([2, 4], f"not {two} or {none}"),
        ([4], f"not {two}, {one} or {none}"),
    ):
        assert (
            words(feature, binning, bins) == f"(the length of the output, {named(other)}) is {said}"
        )
    assert words(feature, Binning.of([], ["(2, b, a)"]), [1]).endswith(" is (2, b, a)")


def test_patterns_of_many_parts_are_cut() -> None:
    few, many = Pattern(("a", "b"), (0.0, 0.0)), Pattern(tuple("abcdef"), (0.0,) * 6)
    binning = Binning.of([], ["(0, 1)"])
    assert words(few, binning, [1]) == "(a, b) is (0, 1)"
    assert subject(many) == "(a, b, …, f)"


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((-53.0, math.inf), "the output is a multiple of 2^-53"),
        ((-math.inf, -53.0), "the output is no multiple of 2^-53"),
        ((-53.0, -50.0), "the output is a multiple of 2^-53 but none of 2^-50"),
        ((2000.0, math.inf), "the output is 0"),
        ((-53.0, 2000.0), "the output is a multiple of 2^-53 but not 0"),
    ],
)
def test_low_bits_say_what_a_number_is_a_multiple_of(ends: tuple[float, float], said: str) -> None:
    outputs = [*np.ldexp(np.arange(-6.0, 7.0), -54), *np.arange(-3.0, 4.0), 2.0**-49, 2.0**-1074]
    feature, edges = LowBits("output"), [end for end in ends if math.isfinite(end)]
    binning = Binning.of(edges, whole=True)
    code = int(math.isfinite(ends[0]))
    assert words(feature, binning, [code]) == said
    inside = binning.code(feature.read(encode(outputs, len(outputs)))) == code
    assert inside.tolist() == [_multiple(said, output) for output in outputs]


def _multiple(said: str, output: float) -> bool:
    """The sentences of the test above, calculated another way."""
    if said.endswith("is 0"):
        return output == 0

    def of(power: int) -> bool:
        return math.fmod(output, math.ldexp(1.0, power)) == 0

    if " no multiple" in said:
        return not of(-53)
    return of(-53) and not (of(-50) if "none of" in said else "not 0" in said and output == 0)


def scores() -> dict[str, Feature]:
    rng = np.random.default_rng(3)
    sides = [encode(rng.normal(shift, 1.0, (400, 3)), 400) for shift in (1.0, 0.0)]
    names = ("output[0]", "output[1]", "output[2]")
    parts = tuple(map(Part, names))
    return {
        "location": LocationScore(parts, (1.0,) * 3, (0.0,) * 3, (1.0,) * 3, 0.0),
        "binned": binned_score(sides[0], sides[1], parts),
        "linear": WeightedScore("a score", names, (0.5,) * 3, (1.0,) * 3, (1.0,) * 3, 0.0),
    }


@pytest.mark.parametrize("kind", ["location", "binned", "linear"])
def test_a_high_score_is_said_of_outputs_of_d_and_is_more_likely_there(kind: str) -> None:
    score, rng = scores()[kind], np.random.default_rng(4)
    left, right = (encode(rng.normal(shift, 1.0, (2000, 3)), 2000) for shift in (1.0, 0.0))
    binning = Binning.of([0.25])
    high, low = words(score, binning, [1]), words(score, binning, [0])
    assert high == "the output is nearer those of D (score at least 0.25)"
    assert low == "the output is nearer those of D' (score below 0.25)"
    shares = [np.mean(binning.code(score.read(side))) for side in (left, right)]
    assert shares[0] > shares[1] + 0.2


def test_a_score_between_two_ends_is_near_neither_side_or_nearest_one_of_them() -> None:
    said = words(scores()["location"], Binning.of([-1.0, 1.0]), [1])
    assert said == (
        "the score of the output, higher if it is nearer those of D, is at least -1 and below 1"
    )


@pytest.mark.parametrize(("end", "said"), [(4e-323, "above 0"), (-4e-323, "at least 0")])
def test_an_end_that_is_hardly_a_number_is_0(end: float, said: str) -> None:
    binning = Binning.of([end])
    assert words(Part("output"), binning, [1]) == f"the output is {said}"
    upto = "at most" if end > 0 else "below"
    assert words(Part("output"), binning, [0]) == f"the output is {upto} 0"


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.0 + 2.0**-21, "1"), (0.1 + 2.0**-22, "0.1"), (2.0**-21, "0"), (12.375, "12.375")],
)
def test_calculated_numbers_are_said_with_the_digits_that_they_have(
    value: float, said: str
) -> None:
    quotient = TwoParts("output[0]", "/", "output[1]", 2.0**-21)
    atom = Binning.of([value, value + 2.0**-40], atoms=[value])
    subject_ = "output[0] / output[1]"
    assert words(quotient, atom, [1]) == f"{subject_} is {said} up to rounding"
    end = f"at least {said}" if value == 12.375 else f"above {said} up to rounding"
    assert words(quotient, Binning.of([value]), [1]) == f"{subject_} is {end}"


def test_values_without_a_bin_are_no_list_of_all_others() -> None:
    binning = Binning.of([], ["'a'", "'b'", "'c'", "'d'", "'e'"])
    assert words(Part("output"), binning, [1, 6]) == (
        "the output is 'a' or a value rare in earlier runs"
    )
    assert words(Part("output"), binning, [1, 2, 3, 6]) == (
        "the output is 'a', 'b', 'c' or neither a number nor 'd' nor 'e'"
    )


@pytest.mark.parametrize("kind", ["location", "binned", "linear"])
def test_the_weights_of_a_score_are_beside_it(kind: str) -> None:
    score = scores()[kind]
    found = describe(score, Binning.of([0.0]), np.array([False, True, False])).parameters["weights"]
    assert [row["part"] for row in found] == ["output[0]", "output[1]", "output[2]"]
    if kind == "linear":
        by_hand = sum(row["weight"] * (2.0 - row["centre"]) for row in found)
        read = score.read(encode(np.full((1, 3), 2.0), 1)).values[0]
        assert by_hand == pytest.approx(read, abs=1e-6)
    if kind == "location":
        terms = [
            (abs(0.2 - row["on the neighbor"]) - abs(0.2 - row["on D"])) / row["scale"]
            for row in found
        ]
        read = score.read(encode(np.full((1, 3), 0.2), 1)).values[0]
        assert sum(terms) == pytest.approx(read, abs=1e-6)


def test_other_features_have_no_weights() -> None:
    mask = np.array([False, True, False])
    assert "weights" not in describe(Part("output"), Binning.of([0.0]), mask).parameters

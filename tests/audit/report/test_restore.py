"""A stored result comes back whole, and anything else is refused in one line."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.canary.result import read_result
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.errors import InputError
from audit.relation import relation_named
from audit.report.json_node import render_json
from audit.report.restore import restore
from audit.report.tables import pair_chart
from audit.report.text import render_text
from audit.verdict.findings import Suggestive, TimeLimit

from .sample_results import all_samples, explained, leak, not_refuted, violation, with_claim

SAMPLES = sorted(all_samples())
SCHEMA = json.loads((Path(__file__).parents[2] / "result.schema.json").read_text("utf-8"))
DOCUMENTS = [json.loads(render_json(result)) for result in all_samples().values()]

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False)
    | st.sampled_from(["inf", "-inf", "", "violation", "\ud800", "a\nb", 1e308, -1e308, 5e-324])
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_result_survives_the_round_trip(name: str) -> None:
    result = all_samples()[name]
    again = restore(result.to_json())
    assert again.to_json() == result.to_json()
    assert render_json(restore(json.loads(render_json(result)))) == render_json(result)
    assert render_text(again) == render_text(result)
    assert again.to_markdown() == result.to_markdown()
    assert again.to_html() == result.to_html()


@pytest.mark.parametrize(
    "claim",
    [PureDP(1.0), ApproxDP(1.0, 1e-6), ZCDP(0.3), RenyiDP(8.0, 0.5), GaussianDP(1.0)],
)
def test_every_claim_survives(claim: Claim) -> None:
    result = with_claim(claim)
    again = restore(result.to_json())
    assert again.claim == claim
    assert again == result


@pytest.mark.parametrize("name", SAMPLES)
def test_results_keep_to_the_schema(name: str) -> None:
    jsonschema.validate(json.loads(render_json(all_samples()[name])), SCHEMA)


def test_what_a_black_box_says_survives_as_utf_8(tmp_path: Path) -> None:
    document = leak().to_json() | {"notes": ["half \ud800 of a pair", "日本\n"]}
    stored = tmp_path / "result.json"
    stored.write_bytes(render_json(restore(document)).encode("utf-8"))
    assert read_result(stored).to_json() == document


def test_json_on_a_terminal_shows_escapes_and_means_the_same() -> None:
    hostile = "\x1b[2J \x9b31m \x7f \u202e \u2028 \U000e0001 \ud800 é日"
    result = dataclasses.replace(leak(), notes=(hostile,))
    text = render_json(result)
    assert text.replace("\n", "").isprintable()
    assert "é日" in text
    assert json.loads(text)["notes"] == [hostile]


def _refused(document: Any) -> str:
    with pytest.raises(InputError) as caught:
        restore(document, "r.json")
    message = str(caught.value)
    assert message.isprintable()
    return message


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("verdict",), "private", "'verdict' is 'private', expected one of violation, not-refuted"),
        (("alpha",), 0, "'alpha' is 0, expected a number between 0 and 1"),
        (("samples",), -1, "'samples' is -1"),
        (("samples",), True, "expected a whole number"),
        (("seed",), 1.5, "'seed' is 1.5, expected a whole number"),
        (("schema",), 2, "'schema' is 2, expected 1"),
        (("schema",), True, "'schema' is True"),
        (("mechanism",), "", "expected the mechanism's name"),
        (("claim", "kind"), "bayes", "'claim.kind' is 'bayes', expected zcdp"),
        (("claim", "epsilon"), -1, "epsilon -1 is not a number of at least 0"),
        (("claim", "delta"), 0.5, "delta 0.5 of a pure claim is not 0"),
        (("claim", "epsilon"), 10**400, "epsilon 1000"),
        (("witness", "p", "low"), 1.5, "'witness.p.low' is 1.5, expected a number from 0 to 1"),
        (("witness", "slope"), 0, "'witness.slope' is 0"),
        (("witness", "event", "intervals"), [[1]], "the two ends of an interval"),
        (("witness", "event", "symbols"), [1], "expected a text"),
        (("witness", "event", "description"), None, "'witness.event.description' is None"),
        (("pairs",), {}, "'pairs' is {}, expected a list"),
        (("pairs", 0, "draws"), [1, 2, 3], "expected two numbers of runs"),
        (("pairs", 0, "bins", 3, "ratio"), 1.0, "'pairs[0].bins[3].ratio' is 1.0"),
        (("leaks", 0, "event"), {}, "'leaks[0].event' is {}"),
        (("parameters",), [], "'parameters' is [], expected an object"),
        (("coupled",), 1, "expected true or false"),
        (("levels_lower",), "high", "'levels_lower' is 'high'"),
        (("notes",), ["fine", 7], "'notes[1]' is 7"),
    ],
)
def test_a_wrong_value_is_named(place: tuple[str | int, ...], value: Any, said: str) -> None:
    message = _refused(_changed(violation().to_json(), place, value))
    assert said in message
    assert message.startswith("r.json is not a result of an audit: ")


def test_every_missing_value_is_named() -> None:
    document = violation().to_json()
    newer = {"worst", "diagnosis", "assumptions", "suggestive", "time_limit", "units"}
    newer |= {"detectable_tenth", "curve", "estimate"}
    for key in document.keys() - newer:
        without = {name: value for name, value in document.items() if name != key}
        assert f"'{key}' is missing" in _refused(without)
    older = {name: value for name, value in document.items() if name not in newer}
    assert restore(older).to_json() == document


def test_a_likely_cause_and_all_around_it_come_back() -> None:
    grew = Suggestive(log_evalue=4.0, runs_wanted=60_000)
    ended = TimeLimit(seconds=2.5, parts=("bets", "tables"), max_samples=400_000)
    result = dataclasses.replace(explained(), suggestive=grew, time_limit=ended)
    assert restore(json.loads(json.dumps(result.to_json()))).to_json() == result.to_json()


def test_records_of_datasets_that_the_search_made_come_back() -> None:
    known = explained()
    assert known.witness is not None and known.worst is not None
    witness = dataclasses.replace(known.witness, made={"dataset": [{"age": 3}] * 21})
    worst = dataclasses.replace(known.worst, made={})
    result = dataclasses.replace(known, witness=witness, worst=worst)
    again = restore(json.loads(render_json(result)))
    assert (again.witness, again.worst) == (witness, worst)
    assert "made" not in explained().to_json()["witness"]


def test_what_the_largest_claims_take_can_be_read_again() -> None:
    document = not_refuted().to_json() | {"floor": 10**140}
    assert restore(document).to_json() == document
    assert "'floor' is 1000" in _refused(document | {"floor": 10**301})


def test_counts_of_the_bets_that_won_survive() -> None:
    document = _changed(
        violation().to_json(),
        ("witness", "counts"),
        {"left": 30, "right": 4, "pairs": 60},
    )
    again = restore(document)
    assert again.witness is not None
    assert again.witness.counts == (30, 4, 60)
    assert again.to_json() == document
    wrong = _changed(document, ("witness", "counts", "left"), 61)
    assert "no event more often than there are pairs" in _refused(wrong)


def test_that_outputs_were_recorded_survives() -> None:
    document = violation().to_json() | {"recorded": True}
    assert restore(document).recorded
    assert restore(document).to_json() == document


def test_other_keys_may_be_added() -> None:
    document = not_refuted().to_json()
    assert restore(document | {"comment": "kept elsewhere"}).to_json() == document


@pytest.mark.parametrize("document", [None, 1, "text", [], {}, [[]], {"schema": 1}])
def test_foreign_documents_are_refused(document: Any) -> None:
    _refused(document)


def test_a_dataset_nested_without_end_is_refused() -> None:
    nested: Any = []
    for _ in range(300):
        nested = [nested]
    assert "nested" in _refused(_changed(violation().to_json(), ("witness", "dataset"), nested))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"nope",
        b'{"schema": NaN}',
        b"[" * 100_000,
        b"1" * 5000,
        b'{"a": "\n"}',
        b"\xef\xbb\xbf{}",
        b"{}{}",
        b"\xff\xfe\x00",
        b"\x80abc",
        b"\x00" * 10,
    ],
)
def test_files_that_hold_no_result_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "result\n.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_result(path)
    assert str(caught.value).isprintable()


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, tmp_path / ("x" * 300), Path("a\0b")):
        with pytest.raises(InputError, match="cannot be read: ") as caught:
            read_result(path)
        assert "not UTF-8" not in str(caught.value)


def _places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value of a document."""
    yield place
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in inner:
        yield from _places(part, (*place, key))


def _changed(document: Any, place: tuple[str | int, ...], value: Any) -> Any:
    if not place:
        return value
    changed = copy.deepcopy(document)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return changed


@st.composite
def broken_documents(draw: st.DrawFn) -> Any:
    """A stored result with a few values replaced by others."""
    document = draw(st.sampled_from(DOCUMENTS))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(list(_places(document))))
        document = _changed(document, place, draw(JSON))
    return document


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(broken_documents())
def test_broken_documents_are_refused_or_shown(document: Any) -> None:
    try:
        result = restore(document)
    except InputError as error:
        assert str(error).isprintable()
        return
    assert restore(result.to_json()).to_json() == result.to_json()
    assert render_text(result)
    assert render_text(result, detail="verbose")
    assert result.to_markdown()
    assert result.to_html()
    assert render_json(result).encode("utf-8")
    for pair in result.pairs:
        if pair.bins:
            pair_chart(result, pair)


@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_result(file)
    assert str(caught.value).isprintable()


def test_infinities_survive_as_words() -> None:
    result = all_samples()["exception_violation"]
    assert math.isinf(result.epsilon_lower)
    assert result.to_json()["epsilon_lower"] == "inf"
    assert math.isinf(restore(result.to_json()).epsilon_lower)


@pytest.mark.parametrize("named", ["l1:1", "l2:0.5", "changes:2"])
def test_pairs_within_a_distance_are_declared_ones_with_their_distance(named: str) -> None:
    result = dataclasses.replace(not_refuted(), relation=relation_named(named))
    document = result.to_json()
    jsonschema.validate(document, SCHEMA)
    assert (document["relation"], document["within"]) == ("declared", named)
    assert restore(document) == result
    assert "'within' is 'l9:1', expected one of" in _refused(document | {"within": "l9:1"})

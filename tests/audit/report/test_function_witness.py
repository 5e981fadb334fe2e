"""A function whose means break a claim, in every report."""

from __future__ import annotations

import dataclasses
import json
import re

import jsonschema
import pytest

from audit.betting.events import Event
from audit.claims import RenyiDP
from audit.report.html import render_page
from audit.report.json_node import render_json
from audit.report.markdown import render_markdown
from audit.report.restore import restore
from audit.report.tables import pair_chart
from audit.report.text import render_text
from audit.verdict.findings import FunctionShown, Units
from audit.verdict.intervals import Estimate
from audit.verdict.result import AuditResult

from .html.markup import drawn
from .sample_results import violation
from .test_restore import SCHEMA

INFINITY = float("inf")
FUNCTION = FunctionShown(
    order=2.0,
    dual="h^2",
    mean=Estimate(0.15, 0.14, 0.16),
    steps=((-INFINITY, 41.5, 0.01), (41.5, 42.1, 0.3), (42.1, INFINITY, 1.0)),
)


def broken(low: float = 0.396) -> AuditResult:
    """The sample with a function in place of its event."""
    sample = violation()
    assert sample.witness is not None
    event = Event(
        "a function of the output from 0.01 to 1 that is 0.5 or more where the output is at "
        "least 42.1",
        {"feature": "output", "intervals": [[42.1, "inf"]], "symbols": [], "other_symbols": False},
    )
    witness = dataclasses.replace(
        sample.witness,
        event=event,
        p=Estimate(0.411, low, 0.426),
        q=Estimate(0.05, 0.042, 0.057),
        slope=3.3,
        offset=0.2,
        function=FUNCTION,
    )
    claim, levels = RenyiDP(2.0, 1.0), {"epsilon_lower": 1.9, "renyi_lower": 1.19}
    return dataclasses.replace(sample, claim=claim, levels=levels, witness=witness)


def test_the_answer_has_both_means_and_what_the_claim_allows() -> None:
    said = " ".join(render_text(broken()).split())
    assert "mean h on D 0.411 [0.396, 0.426]" in said
    assert "mean h^2 on D' 0.05 [0.042, 0.057]" in said
    assert "allows mean h on D ≤ 0.365" in said
    assert "P[D]" not in said
    whole = " ".join(render_text(broken(), detail="verbose").split())
    assert "mean h 0.15 [0.14, 0.16] on D'" in whole


@pytest.mark.parametrize(("low", "overlap"), [(0.396, False), (0.38, True)])
def test_means_that_do_not_exclude_the_claim_name_the_test(low: float, overlap: bool) -> None:
    result = dataclasses.replace(broken(low), units=Units(kind="call", n=1, count=2_625))
    said = " ".join(render_text(result).split())
    assert bool(re.search(r"the test refuted it with p < 1e-\d+ in 2,625 units", said)) is overlap


@pytest.mark.parametrize("render", [render_text, render_markdown, render_page])
def test_reports_call_it_a_function_and_never_an_event(render: object) -> None:
    assert callable(render)
    bare = dataclasses.replace(broken(), pairs=(), leaks=())
    said = render(bare).split("family of inequalities")[0].replace("h is high", "")
    assert "function h" in said
    body = said.rpartition("</style>")[2]
    assert not re.search(r"event:|>event<|\| event \|", body)
    assert "P[D" not in said.replace("\\", "")
    assert "Clopper-Pearson" not in said


def test_it_survives_the_round_trip() -> None:
    text = render_json(broken())
    jsonschema.validate(json.loads(text), SCHEMA)
    assert restore(json.loads(text)).witness == broken().witness
    assert json.loads(text)["witness"]["ratio"] == pytest.approx(0.411 / 0.15)


@pytest.mark.slow
def test_the_figure_shows_its_shape() -> None:
    result = broken()
    assert drawn(pair_chart(result, result.pairs[0])).all("polyline", "mark")
    event = pair_chart(violation(), violation().pairs[0])
    assert not drawn(event).all("polyline", "mark")

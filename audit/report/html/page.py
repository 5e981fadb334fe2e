"""The report as HTML: one file that needs nothing else, or a piece of a notebook."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from audit.jsonable import jsonable
from audit.report import (
    confidence,
    headline,
    hints,
    numerals,
    paragraphs,
    power,
    sentences,
    size,
    table,
    weights,
)
from audit.report.advice import advice_on
from audit.report.curve import about_curve
from audit.report.html.curve_chart import size_picture
from audit.report.html.drawing import Drawn, escaped
from audit.report.html.pair_chart import pair_chart
from audit.report.html.review import review
from audit.report.html.witness_bars import witness_bars
from audit.report.witness_sides import WitnessSides
from audit.verdict.pair_table import PairTable
from audit.verdict.result import AuditResult

_LONGEST_DATASET = 4000
_MOST_CHARTS = 12


def render_page(result: AuditResult) -> str:
    """One result as a whole document: no scripts, and nothing to be loaded."""
    return _filled("page.html.j2", result)


def render_fragment(result: AuditResult) -> str:
    """The same without what surrounds it, as a notebook shows it; its styles touch nothing else."""
    return _filled("fragment.html.j2", result)


def _filled(template: str, result: AuditResult) -> str:
    return filled(
        template,
        title=headline.last_line(result),
        body="fragment.html.j2",
        result=result,
        parameters=json.dumps(jsonable(result.parameters), ensure_ascii=False),
        longest_dataset=_LONGEST_DATASET,
        charts=_charts(result),
    )


def filled(template: str, **values: Any) -> str:
    """A template filled in; whatever is not `Drawn` is escaped on its way in."""
    return _environment().get_template(template).render(style=_style(), **values)


def _charts(result: AuditResult) -> list[PairTable]:
    """The pairs with something to show, the witness's first."""
    telling = None if result.witness is None else result.witness.pair
    found = sorted(result.pairs, key=lambda pair: pair.name != telling)
    return [pair for pair in found if pair.bins][:_MOST_CHARTS]


@cache
def _style() -> Drawn:
    return Drawn((resources.files("audit.report") / "templates" / "page.css").read_text("utf-8"))


def _shown(value: object) -> Drawn:
    """Any value as text without markup and without characters that do not print."""
    return value if isinstance(value, Drawn) else Drawn(escaped(str(value)))


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("audit.report"),
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["capitalized"] = _capitalized
    environment.globals |= {
        "about_curve": about_curve,
        "advice_on": advice_on,
        "confidence": confidence,
        "headline": headline,
        "hints": hints,
        "interval": numerals.interval,
        "at_least": numerals.at_least,
        "at_most": numerals.at_most,
        "count": numerals.count,
        "number": numerals.number,
        "percent": numerals.percent,
        "pair_chart": pair_chart,
        "paragraphs": paragraphs,
        "power": power,
        "review": review,
        "sentences": sentences,
        "sides_of": WitnessSides.of,
        "size": size,
        "size_picture": size_picture,
        "table": table,
        "weights": weights,
        "witness_bars": witness_bars,
    }
    return environment

"""The report as Markdown: front matter for machines, then the answer for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
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
    witness_sides,
)
from audit.report.advice import advice_on
from audit.report.curve import about_curve
from audit.report.escape import Safe, block, code, inline
from audit.report.front_matter import front_matter
from audit.verdict.result import AuditResult

_LONGEST_DATASET = 4000


def render_markdown(result: AuditResult, figures: Mapping[str, str] | None = None) -> str:
    """One result as a Markdown document.

    Args:
        result: what an audit found.
        figures: for each pair with a figure, its name and the figure's file,
            relative to the document and free of characters that end a link.
    """
    return page(
        "report.md.j2",
        result=result,
        figures=figures or {},
        parameters=json.dumps(jsonable(result.parameters), ensure_ascii=False),
        longest_dataset=_LONGEST_DATASET,
    )


def page(template: str, **values: Any) -> str:
    """A template filled in; whatever is not `Safe` is escaped on its way in."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("audit.report"),
        finalize=inline,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "block": block,
        "code": code,
        "capitalized": _capitalized,
        "safe_markdown": Safe,
    }
    environment.globals |= {
        "about_curve": about_curve,
        "front_matter": front_matter,
        "confidence": confidence,
        "headline": headline,
        "hints": hints,
        "paragraphs": paragraphs,
        "power": power,
        "sentences": sentences,
        "size": size,
        "table": table,
        "weights": weights,
        "witness_sides": witness_sides,
        "interval": numerals.interval,
        "advice_on": advice_on,
        "at_least": numerals.at_least,
        "at_most": numerals.at_most,
        "number": numerals.number,
        "count": numerals.count,
        "percent": numerals.percent,
    }
    return environment


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]

"""Report noisy max in the catalogue: over education levels, and on pairs that attain its limits."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.adult import education_levels, educations
from mechanisms.systems.report_noisy_max.education import EducationMax
from mechanisms.systems.report_noisy_max.largest_score import ReportNoisyMax

GROUP = "Report noisy max"
_ADULT = educations()
_LEVELS = "choice:" + ",".join(education_levels())


def _without(level: str) -> list[str]:
    """The Adult data without one record of a level."""
    first = _ADULT.index(level)
    return _ADULT[:first] + _ADULT[first + 1 :]


def _declared(
    name: str,
    summary: str,
    mechanism: ReportNoisyMax,
    pair: tuple[list[float], list[float]],
    truth: Truth,
) -> Entry:
    """An entry whose datasets are scores and whose pair is declared to be neighbors."""
    data, neighbor = map(np.array, pair)
    return Entry(
        name=f"report-noisy-max-{name}",
        group=GROUP,
        summary=summary,
        mechanism=mechanism,
        relation=Relation.DECLARED,
        data=data,
        neighbors=(neighbor,),
        truth=truth,
    )


_OPPOSITE: tuple[list[float], list[float]] = ([0, 0, 0, 0, 0], [-1, 1, 1, 1, 1])

_EDUCATION = (
    Entry(
        name="report-noisy-max",
        group=GROUP,
        summary="most frequent education level, scores count/1000 with noise for sensitivity 1",
        mechanism=EducationMax(),
        data=_ADULT,
        neighbors=(_without("HS-grad"), _without("Preschool"), _without("Bachelors")),
        domain=_LEVELS,
        truth=Truth(
            keeps=True,
            epsilon=EducationMax().spent,
            source="calculation: monotone scores that move by 1/1000, noise of scale 1/epsilon; "
            "the claim wastes a factor of 1000",
        ),
    ),
    Entry(
        name="report-noisy-max-observed",
        group=GROUP,
        summary="the same, choosing among the levels that occur in the data",
        mechanism=EducationMax(candidates="observed"),
        data=["HS-grad", "Doctorate"],
        neighbors=(["HS-grad"],),
        domain=_LEVELS,
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: a level that a single record has is named with probability 1/2 "
            "with it and never without it",
            pairs=19.1,
        ),
    ),
)

_KEEPS = (
    _declared(
        "laplace",
        "index of the largest score, Laplace noise of scale 2/epsilon",
        ReportNoisyMax(),
        _OPPOSITE,
        Truth(
            keeps=True,
            epsilon=1.0,
            source="K10; approached as the gap grows, 0.980 on this pair",
        ),
    ),
    _declared(
        "exponential",
        "index of the largest score, exponential noise: permute-and-flip",
        ReportNoisyMax(noise="exponential"),
        ([0, 0], [1, -1]),
        Truth(
            keeps=True,
            epsilon=1.0,
            source="K11; exactly epsilon on this pair, arXiv 2105.07260",
        ),
    ),
    _declared(
        "gumbel",
        "index of the largest score, Gumbel noise: the exponential mechanism",
        ReportNoisyMax(noise="gumbel"),
        ([1, *[0.0] * 9], [0, *[1.0] * 9]),
        Truth(
            keeps=True,
            epsilon=1.0,
            source="K12; approached with many scores, 0.897 on this pair",
        ),
    ),
    _declared(
        "counts",
        "index of the largest count, half the noise since counts move one way",
        ReportNoisyMax(queries="monotone"),
        ([0, 1, 1, 1, 1], [0, 2, 2, 2, 2]),
        Truth(
            keeps=True,
            epsilon=1.0,
            source="N04; approached as the gap grows, 0.999 on this pair",
        ),
    ),
    _declared(
        "gap",
        "index of the largest score with its gap to the runner-up",
        ReportNoisyMax(output="gap"),
        _OPPOSITE,
        Truth(keeps=True, epsilon=1.0, source="K25; arXiv 1904.12773"),
    ),
    _declared(
        "gap-exponential",
        "index and gap with exponential noise",
        ReportNoisyMax(output="gap", noise="exponential"),
        ([0, 0], [1, -1]),
        Truth(
            keeps=True,
            epsilon=1.0,
            source="calculation: log-density of the gap is Lipschitz",
        ),
    ),
    _declared(
        "top-two",
        "indices of the best two scores with twice the noise",
        ReportNoisyMax(output="top-two"),
        ([0, 0, 0, 0], [-1, -1, 1, 1]),
        Truth(keeps=True, source="calculation: two raises of at most epsilon/2 each"),
    ),
    _declared(
        "kth-smallest",
        "index of the second smallest score with twice the noise",
        ReportNoisyMax(output="kth-smallest", k=2),
        ([0, 0, 0, 0], [1, 1, -1, -1]),
        Truth(keeps=True, source="calculation: post-processing of the two smallest"),
    ),
)

_BREAKS = (
    _declared(
        "released-value",
        "the largest noisy score itself, five scores",
        ReportNoisyMax(output="value"),
        ([0, 0, 0, 0, 0], [1, 1, 1, 1, 1]),
        Truth(keeps=False, epsilon=2.5, source="D01; five times epsilon/2", pairs=312.0),
    ),
    _declared(
        "released-value-exponential",
        "the largest noisy score itself, exponential noise",
        ReportNoisyMax(output="value", noise="exponential"),
        ([0, 0], [1, 1]),
        Truth(
            keeps=False,
            epsilon=math.inf,
            source="D02; no value below 1 on one side",
            pairs=61.8,
        ),
    ),
    _declared(
        "narrow",
        "index of the largest score, noise of scale 1/epsilon though scores move both ways",
        ReportNoisyMax(queries="monotone"),
        _OPPOSITE,
        Truth(
            keeps=False,
            epsilon=2.0,
            source="D03; approached as the gap grows, 1.979 on this pair",
            pairs=188.0,
        ),
    ),
    _declared(
        "top-two-unsplit",
        "indices of the best two scores with the noise of one",
        ReportNoisyMax(output="top-two", noise="exponential", split=False),
        ([0, 0, 0], [-1, -1, 1]),
        Truth(
            keeps=False,
            epsilon=2.0,
            source="calculation: event (first, second), 1/6 against e^-2/6",
            pairs=222.0,
        ),
    ),
)

ENTRIES: tuple[Entry, ...] = _EDUCATION + _KEEPS + _BREAKS

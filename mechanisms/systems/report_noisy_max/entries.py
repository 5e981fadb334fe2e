"""Report noisy max in the catalogue: over education levels, and on pairs that attain its limits."""

from __future__ import annotations

from math import inf

import numpy as np

from audit.relation import Relation
from mechanisms.parts.adult import education_levels, educations
from mechanisms.systems.report_noisy_max.education import EducationMax
from mechanisms.systems.report_noisy_max.largest_score import ReportNoisyMax
from mechanisms.table import Inputs, add_remove, breaks, declared, keeps, table

_ADULT = educations()
_LEVELS = "choice:" + ",".join(education_levels())


def _without(level: str) -> list[str]:
    """The Adult data without one record of a level."""
    first = _ADULT.index(level)
    return _ADULT[:first] + _ADULT[first + 1 :]


def _scores(data: list[float], neighbor: list[float]) -> Inputs:
    return declared(np.array(data), np.array(neighbor))


_EDUCATIONS = Inputs(
    relation=Relation.ADD_REMOVE,
    data=_ADULT,
    neighbors=(_without("HS-grad"), _without("Preschool"), _without("Bachelors")),
    domain=_LEVELS,
)
_DOCTOR = add_remove(["HS-grad", "Doctorate"], ["HS-grad"], _LEVELS)
_OPPOSITE = _scores([0, 0, 0, 0, 0], [-1, 1, 1, 1, 1])

ENTRIES = table("Report noisy max", (
    ("report-noisy-max", EducationMax(), _EDUCATIONS,
     keeps("calculation: monotone scores that move by 1/1000, noise of scale 1/epsilon; "
           "the claim wastes a factor of 1000", EducationMax().spent),
     "most frequent education level, scores count/1000 with noise for sensitivity 1"),
    ("report-noisy-max-observed", EducationMax(candidates="observed"), _DOCTOR,
     breaks("calculation: a level that a single record has is named with probability 1/2 "
            "with it and never without it", inf, pairs=19.1),
     "most frequent education level, among the levels that occur in the data"),
    ("report-noisy-max-laplace", ReportNoisyMax(), _OPPOSITE,
     keeps("K10; approached as the gap grows, 0.980 on this pair", 1.0),
     "index of the largest score, Laplace noise of scale 2/epsilon"),
    ("report-noisy-max-exponential", ReportNoisyMax(noise="exponential"),
     _scores([0, 0], [1, -1]), keeps("K11; exactly epsilon on this pair, arXiv 2105.07260", 1.0),
     "index of the largest score, exponential noise: permute-and-flip"),
    ("report-noisy-max-gumbel", ReportNoisyMax(noise="gumbel"),
     _scores([1, *[0.0] * 9], [0, *[1.0] * 9]),
     keeps("K12; approached with many scores, 0.897 on this pair", 1.0),
     "index of the largest score, Gumbel noise: the exponential mechanism"),
    ("report-noisy-max-counts", ReportNoisyMax(queries="monotone"),
     _scores([0, 1, 1, 1, 1], [0, 2, 2, 2, 2]),
     keeps("N04; approached as the gap grows, 0.999 on this pair", 1.0),
     "index of the largest count, half the noise since counts move one way"),
    ("report-noisy-max-gap", ReportNoisyMax(output="gap"), _OPPOSITE,
     keeps("K25; arXiv 1904.12773", 1.0),
     "index of the largest score with its gap to the runner-up"),
    ("report-noisy-max-gap-exponential", ReportNoisyMax(output="gap", noise="exponential"),
     _scores([0, 0], [1, -1]), keeps("calculation: log-density of the gap is Lipschitz", 1.0),
     "index and gap with exponential noise"),
    ("report-noisy-max-top-two", ReportNoisyMax(output="top-two"),
     _scores([0, 0, 0, 0], [-1, -1, 1, 1]),
     keeps("calculation: two raises of at most epsilon/2 each"),
     "indices of the best two scores with twice the noise"),
    ("report-noisy-max-kth-smallest", ReportNoisyMax(output="kth-smallest", k=2),
     _scores([0, 0, 0, 0], [1, 1, -1, -1]),
     keeps("calculation: post-processing of the two smallest"),
     "index of the second smallest score with twice the noise"),
    ("report-noisy-max-released-value", ReportNoisyMax(output="value"),
     _scores([0, 0, 0, 0, 0], [1, 1, 1, 1, 1]),
     breaks("D01; five times epsilon/2", 2.5, pairs=312.0),
     "the largest noisy score itself, five scores"),
    ("report-noisy-max-released-value-exponential",
     ReportNoisyMax(output="value", noise="exponential"), _scores([0, 0], [1, 1]),
     breaks("D02; no value below 1 on one side", inf, pairs=61.8),
     "the largest noisy score itself, exponential noise"),
    ("report-noisy-max-narrow", ReportNoisyMax(queries="monotone"), _OPPOSITE,
     breaks("D03; approached as the gap grows, 1.979 on this pair", 2.0, pairs=188.0),
     "index of the largest score, noise of scale 1/epsilon though scores move both ways"),
    ("report-noisy-max-top-two-unsplit",
     ReportNoisyMax(output="top-two", noise="exponential", split=False),
     _scores([0, 0, 0], [-1, -1, 1]),
     breaks("calculation: event (first, second), 1/6 against e^-2/6", 2.0, pairs=222.0),
     "indices of the best two scores with the noise of one"),
))  # fmt: skip

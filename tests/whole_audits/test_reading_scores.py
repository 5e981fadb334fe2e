"""What audits read off how parts of an output vary together; right twins are not accused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import Generator

from audit.verdict.result import Verdict
from tests.whole_audits.test_reading_relations import Told, audited


def correlation(count: int, rng: Generator) -> object:
    parts = rng.normal(0, 1, 8)
    sign = 1 if count % 2 else -1
    parts[6] = sign * 0.9 * parts[2] + np.sqrt(0.19) * parts[6]
    return parts + 5


def several_correlations(count: int, rng: Generator) -> object:
    parts = rng.normal(0, 1, 10)
    for one, other in ((0, 5), (1, 6), (2, 7)):
        weight = 0.7 if count % 2 else -0.7
        parts[other] = weight * parts[one] + np.sqrt(0.51) * parts[other]
    return parts


def nearly_a_relation(count: int, rng: Generator) -> object:
    parts = rng.normal(0, 20, 9)
    parts[7] = count - parts[1] + 3 * parts[4] + rng.normal(0, 0.2)
    return parts


KINDS = (correlation, several_correlations, nearly_a_relation)


@pytest.mark.slow
@pytest.mark.parametrize("told", KINDS)
def test_what_the_parts_say_together_is_seen_in_some_hundred_runs(told: Told) -> None:
    result = audited(told, exact=True)
    assert result.verdict is Verdict.VIOLATION
    assert result.effort["bets"] < 1_500
    assert result.witness is not None
    assert "nearer those of" in result.witness.event.description


@pytest.mark.slow
@pytest.mark.parametrize("told", KINDS)
def test_parts_that_say_the_noisy_number_accuse_nobody(told: Told) -> None:
    assert audited(told, exact=False).verdict is not Verdict.VIOLATION

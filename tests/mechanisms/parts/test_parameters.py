"""Parameters that no mechanism can have are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from audit.errors import InputError
from mechanisms.parts.calibration import scale_of
from mechanisms.parts.composition import NoisyGradientSteps, RepeatedSum
from mechanisms.parts.counts import (
    NoisyAnswers,
    NoisyHistogram,
    RenormalizedGeometric,
    RowCount,
    TreeCounts,
)
from mechanisms.parts.local import RandomizedResponse, Rappor, UnaryEncoding
from mechanisms.parts.selection import ExponentialMechanism, NoisyMax
from mechanisms.parts.sums import GaussianReleases, SampledSum


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: scale_of("classic", 1.0, 0.0, 1.0), "delta 0.0"),
        (lambda: scale_of("pure", 1.0, 0.0, -1.0), "sensitivity -1.0"),
        (lambda: NoisyAnswers(repeats=0), "repeats 0"),
        (lambda: NoisyHistogram(bins=0), "bins 0"),
        (lambda: TreeCounts(leaves=6), "leaves 6 is not a power of two"),
        (lambda: TreeCounts(levels=0), "levels 0"),
        (lambda: RandomizedResponse(choices=1), "choices 1"),
        (lambda: UnaryEncoding(choices=1), "choices 1"),
        (lambda: Rappor(lie=1.5), "lie 1.5"),
        (lambda: SampledSum(rate=1.0), "rate 1.0"),
        (lambda: GaussianReleases(sigma=0.0), "sigma 0.0"),
        (lambda: RepeatedSum(repeats=0), "repeats 0"),
        (lambda: NoisyGradientSteps(steps=0), "steps 0"),
        (lambda: RenormalizedGeometric(largest=0), "largest 0"),
        (lambda: RowCount(rows_per_user=0), "rows_per_user 0"),
        (lambda: NoisyMax(factor=-1.0), "factor -1.0"),
        (lambda: ExponentialMechanism(sensitivity=0.0), "sensitivity 0.0"),
    ],
)
def test_impossible_parameters_are_refused_in_one_line(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)

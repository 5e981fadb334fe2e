"""True causes of the catalogue's broken mechanisms, labelled by hand from their code.

An entry with several causes has all that are true of its code: noise for one of two
indices is a budget that was not split, and it makes an index too likely.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from audit.verdict.findings import Cause

Causes = tuple[Cause, ...]

_NO_NOISE, _STRUCTURE, _FAILURE = Cause.NO_NOISE, Cause.STRUCTURE, Cause.FAILURE
_SCALE, _SMALL, _CONTRIBUTION = Cause.SCALE, Cause.NOISE_TOO_SMALL, Cause.CONTRIBUTION
_SPLIT, _SHARED, _BOUNDED = Cause.NOT_SPLIT, Cause.SHARED_NOISE, Cause.BOUNDED_NOISE
_SHAPE, _ODDS, _DELTA = Cause.WRONG_SHAPE, Cause.WRONG_PROBABILITY, Cause.DELTA_EXCEEDED


def _all(names: str, *causes: Cause) -> dict[str, Causes]:
    """The same causes for several names, which blanks separate."""
    return dict.fromkeys(names.split(), causes)


def _shown(styles: str, *causes: Cause) -> dict[str, Causes]:
    """Causes of noisy counts whose true count shows in one of these styles."""
    return {f"{style}-of-true-count": causes for style in styles.split()}


_SYSTEMS: Mapping[str, Causes] = {
    # The range and the number of ages are read from the data; without any age it raises.
    **_all("noisy-average noisy-average-global", _SCALE, _FAILURE),
    # The candidates are those that the data hold; without any it raises.
    "report-noisy-max-observed": (_STRUCTURE, _FAILURE),
    "report-noisy-max-released-value": (_SMALL,),
    "report-noisy-max-released-value-exponential": (_BOUNDED,),
    "report-noisy-max-narrow": (_SMALL, _ODDS),
    "report-noisy-max-top-two-unsplit": (_SPLIT, _ODDS),
    **_all("primer-count-printed primer-sum-printed primer-mean-printed", _BOUNDED),
    "primer-sum-nan": (_FAILURE,),
    # Noise on every record: a day without records has none.
    "dp-sum-raw-moved-day": (_SCALE, _NO_NOISE),
    "dp-sum-global-moved-day": (_SPLIT, _SMALL),
    # Seven totals of a client move, each by five times what its noise pays for.
    "dp-sum-local-client": (_CONTRIBUTION, _SMALL, _SPLIT),
    "dp-sum-global-client": (_CONTRIBUTION, _SPLIT, _SMALL),
    **_all(
        "inf-tda-bounded-distinct-shared inf-tda-unbounded-distinct-shared "
        "inf-tda-unbounded-distinct inf-tda-exchanged",
        _SMALL,
    ),
    "inf-tda-bounded-fewer": (_NO_NOISE,),
}

_SUMS: Mapping[str, Causes] = {
    **_all("laplace-with-hole geometric-from-one uniform-noise wishart-moments", _BOUNDED),
    "renormalized-geometric": (_BOUNDED, _ODDS),
    # Bins add up to the true total: one relation between noisy bins has no noise.
    "histogram-noise-taken-back": (_SHARED, _NO_NOISE),
    "gaussian-as-pure": (_SHAPE,),
    **_all(
        "gaussian-variance-as-deviation analytic-gaussian-sign-slip classic-gaussian-epsilon-10 "
        "gaussian-mu-understated gaussian-zcdp-understated gaussian-renyi-understated "
        "gaussian-sum-replace-one range-for-magnitude sum-wraps-around "
        "count-noised-as-probability scale-over-dimensions clip-norm-ignored "
        "laplace-claimed-0.9 laplace-claimed-0.95 laplace-claimed-0.99 pate-shared-teachers "
        # Without the sampling that would amplify it, the noise is too small for the claim.
        "amplification-without-sampling dp-sgd-shuffled dp-sgd-scale-of-the-average",
        _SMALL,
    ),
    "histogram-replace-one": (_SPLIT, _SMALL),
    **_all("quantile-range-from-data mean-range-over-size", _SCALE),
    **_all("clip-result-dropped record-noise-user-claim dp-sgd-not-clipped", _CONTRIBUTION),
    **_all("two-statistics-full-budget ten-gaussians-one-budget tree-without-split", _SPLIT),
    "tree-one-level-short": (_SPLIT, _SMALL),
    # Two steps with one batch are accounted for as two batches.
    **_all("dp-sgd-batch-twice dp-sgd-batch-twice-curve", _SPLIT),
}

_CHOICES: Mapping[str, Causes] = {
    **_all("score-sensitivity-halved noisy-max-half-noise", _SMALL, _ODDS),
    "noisy-max-value": (_SMALL,),
    "noisy-max-exponential-value": (_BOUNDED,),
    # The value that is released has the noise that decided the comparison.
    **_all("sparse-vector-3 sparse-vector-3-long", _SHARED),
    # The noise of a query is that for one answer above, and two are given.
    "sparse-vector-4": (_SPLIT, _SMALL, _ODDS),
    # All queries are compared with one noisy threshold and have no noise of their own.
    "sparse-vector-5": (_SHARED, _NO_NOISE),
    # Every answer costs, and there is no cutoff.
    "sparse-vector-6-long": (_SPLIT,),
    **_all("keys-delta-not-split keys-delta-not-split-small", _DELTA, _STRUCTURE, _SPLIT),
    **_all(
        "keys-threshold-zero keys-threshold-for-other-noise keys-threshold-truncated",
        _DELTA,
        _STRUCTURE,
    ),
    "underflow-crash": (_FAILURE,),
    "synthetic-rows": (_STRUCTURE,),
    "randomized-response-true-lies": (_ODDS,),
    "unary-encoding-per-bit": (_SPLIT, _ODDS),
    "name-and-shame": (_DELTA,),
    **_all("privacy-filter-one-more budget-session-reset odometer-free-repeats", Cause.COMPOSITION),
    "sparse-vector-session-same-noise": (_SHARED, Cause.COMPOSITION),
}

_READINGS: Mapping[str, Causes] = {
    **_shown(
        "text-line text-log text-json text-word text-decimals bytes text-capitals text-character "
        "text-vowels text-time-stamp text-last-digit weekday residue decimal-grid fraction "
        "large-integer unknown-step",
        _NO_NOISE,
    ),
    **_shown("text-length text-lines trailing-zeros", _NO_NOISE, _STRUCTURE),
    **_shown(
        "key-order number-type container-type index-kind column-type memory-layout field-order "
        "record-type unused-category",
        _STRUCTURE,
    ),
    # An eighth of the outputs is the count itself, up to a bounded jitter of 0.00001.
    **_shown("narrow-peak", _NO_NOISE, _BOUNDED),
    **_shown("scattered-values", _ODDS),
    # The count shows in how several noisy numbers stand to each other.
    **_shown(
        "exact-relation exact-ratio repeated-entry spread sum-residue order-of-entries "
        "sign-agreement longest-run",
        _NO_NOISE,
        _SHARED,
    ),
}

_ARRANGEMENTS: Mapping[str, Causes] = _all(
    "longest-run-with-noise-for-one progressions-with-noise-for-one "
    "alternating-sum-with-noise-for-one turns-with-noise-for-one rising-with-noise-for-one "
    "stepped-count-with-noise-for-one largest-component-with-noise-for-one "
    "triangles-with-noise-for-one paths-with-noise-for-one",
    _SMALL,
)

_PEERS: Mapping[str, Causes] = {
    "sniper-truncated-geometric": (_SMALL, _ODDS),
    **_all("sniper-noisy-histogram-2 sniper-noisy-max-3", _SMALL),
    **_all("statdp-noisy-max-1b statdp-histogram-epsilon", _SMALL),
    **_all("sniper-noisy-max-4 statdp-noisy-max-2b", _BOUNDED),
    **_all("sniper-sparse-vector-3 statdp-sparse-vector-wrong-4", _SHARED),
    "sniper-sparse-vector-3-and-4": (_SHARED, _SMALL),
    **_all("sniper-sparse-vector-4 statdp-sparse-vector-wrong-3", _SMALL, _ODDS),
    **_all("sniper-sparse-vector-5 statdp-sparse-vector-wrong-1", _SHARED, _NO_NOISE),
    "sniper-sparse-vector-6": (_SPLIT,),
    # One number is left of the ten answers.
    "statdp-sparse-vector-wrong-2": (_SPLIT, _ODDS),
}

CAUSES: Mapping[str, Causes] = MappingProxyType(
    {**_SYSTEMS, **_SUMS, **_CHOICES, **_READINGS, **_ARRANGEMENTS, **_PEERS}
)
"""By the name of the entry, the nearest cause first."""

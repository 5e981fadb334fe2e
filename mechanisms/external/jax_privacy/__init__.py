"""jax_privacy: clipped gradients with Gaussian noise, correlated noise, and execution plans.

Noise is for the sensitivity that the library's own `sensitivity` states; accountants are those
of dp_accounting, as its documentation has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.claims import GaussianDP
from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.jax_privacy.steps import (
    Correlated,
    Numbers,
    Step,
    curve,
    key_of,
    library,
    noisy,
    selected,
)
from mechanisms.external.shelf import ADD_REMOVE, Finding, Shelf

REQUIREMENT = "jax_privacy==2.0.0"
CLIPPED = "clipped_grad, Formal Guarantees: the L2 sensitivity is guaranteed to be l2_clip_norm"
MATRIX = "matrix_factorization_privatizer: covariance noising_matrix.T @ noising_matrix"
PLANNED = "DPExecutionPlan: the dp_event can be trusted as having been formally verified"
_SHARP = "sharp_edges_mixed_precision: noise should be added using at least float32, for stability"
_UNDERFLOW = Finding(
    "the norm is computed in float16, where the squares of small entries are 0, so that the "
    "gradient is not clipped",
    thread="github.com/google-deepmind/jax_privacy/pull/309 (closed)",
)
_COARSE = Finding(
    "noise has the type of the gradient: in bfloat16 it has 128 values, none beyond 2.9 "
    "standard deviations",
    warned=_SHARP,
)
_NORMALIZED = Finding(
    "noise is scaled by the norm of the strategy, although column_normalize has made that 1",
    thread="github.com/google-deepmind/jax_privacy/pull/310 (closed)",
)
_EXHAUSTED = Finding(
    "a row beyond the last one of the matrix is the last one, with the same noise",
    thread="github.com/google-deepmind/jax_privacy/pull/338 (merged after 2.0.0)",
)


def entries() -> tuple[Entry, ...]:
    """Calls of jax_privacy.

    Raises:
        InputError: it is not installed.
    """
    found = shelf()
    return (*_clipped(found), *_matrices(found), *_plans(found), *_batches(found))


def shelf() -> Shelf:
    """All calls of jax_privacy share it.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("jax_privacy", "jax_privacy", REQUIREMENT)
    return Shelf("jax-privacy", version, "jax-privacy.readthedocs.io")


def squares(weights: Any, features: Any) -> Any:
    """The squared distance of two weights from two features: gradients of any length."""
    return 0.5 * ((weights - features) ** 2).sum()


def rows(*features: tuple[float, float]) -> Numbers:
    """Records of two features, none of which is a padding example."""
    return np.array([[*one, 0.0] for one in features])


USUAL = ((30.0, -40.0), (3.0, 1.0), (-2.0, 5.0), (0.5, 0.0))


def stepped(shelf: Shelf, name: str, call: str, step: Step, more: Numbers, **options: Any) -> Entry:
    """One step with all records, and without the first."""
    pair = more, more[1:]
    return shelf.entry(
        name,
        call,
        noisy(step, pair),
        *pair,
        **{
            "claims": step.claim,
            "relation": ADD_REMOVE,
            "documented": CLIPPED,
            "independent": True,
            **options,
        },
    )


def _clipped(shelf: Shelf) -> tuple[Entry, ...]:
    small = np.column_stack([np.full((2, 1000), [[1e-4], [0.0]]), np.zeros(2)])
    usual = rows(*USUAL)
    strange = usual.copy()
    strange[0, 0] = np.nan
    half = Step(
        loss=_linear,
        params=[0.0] * 1000,
        dtype="float16",
        options={"l2_clip_norm": 1e-4, "rescale_to_unit_norm": True, "dtype": None},
        noisy={"dtype": "float32"},
    )
    coarse = Step(loss=squares, dtype="bfloat16")
    return (
        stepped(shelf, "step", "clipped_grad, gaussian_privatizer", Step(loss=squares), usual),
        stepped(shelf, "step-nan", "the same, a feature is NaN", Step(loss=squares), strange),
        stepped(
            shelf,
            "step-float16",
            "clipped_grad(l2_clip_norm=1e-4, rescale_to_unit_norm=True) of float16 gradients",
            half,
            small,
            broken=_UNDERFLOW,
        ),
        stepped(
            shelf,
            "step-bfloat16",
            "clipped_grad, gaussian_privatizer of bfloat16 gradients",
            coarse,
            rows((30.0, 0.0), (0.0, 0.0)),
            broken=_COARSE,
        ),
    )


def _linear(weights: Any, features: Any) -> Any:
    return (weights * features).sum()


def _matrices(shelf: Shelf) -> tuple[Entry, ...]:
    """Noise by a dense matrix for as many steps as it has rows, and for one more."""
    dense = np.array([[1.0, 0.0], [-0.5, 1.0]])
    toeplitz = np.array([[1.0, 0.0], [0.5, 1.0]])
    once = Correlated(
        noising=lambda: dense,
        strategy=lambda: toeplitz,
        sensitivity=lambda: 1.25**0.5,
        pattern=np.array([1.0, 0.0]),
    )
    beyond = Correlated(
        noising=lambda: np.eye(2),
        strategy=lambda: np.array([[0.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, 0.0, 0.0]]),
        sensitivity=lambda: 1.0,
        pattern=np.array([0.0, 1.0, 0.0]),
    )
    return tuple(
        shelf.entry(
            name,
            call,
            correlated.released(),
            [1.0],
            [0.0],
            claims=GaussianDP(1.0),
            documented=MATRIX,
            broken=why,
            independent=True,
        )
        for name, call, correlated, why in (
            ("dense", "matrix_factorization_privatizer(2 x 2), two steps", once, None),
            (
                "dense-exhausted",
                "matrix_factorization_privatizer(2 x 2), a third step",
                beyond,
                _EXHAUSTED,
            ),
        )
    )


def planned(strategy: list[float], **options: Any) -> Any:
    """An execution plan of noise multiplier 1 in which every record is in its batches for sure."""
    made = library("jax_privacy.experimental.execution_plan").BandMFExecutionPlanConfig
    given = {"iterations": 2, "epsilon": None, "delta": None, "noise_multiplier": 1.0}
    return made(strategy=np.array(strategy), **{**given, **options}).plan


def run_plan(plan: Any, count: int) -> Any:
    """Noisy sums of a plan's steps, for a record that is in all of them or in none."""
    jax, numpy = library("jax"), library("jax.numpy")
    # The plan holds a key of its own: states begin with one that follows from the seed.
    update = jax.jit(plan.noise_addition_transform.update)
    initial = plan.noise_addition_transform.init(numpy.zeros(()))

    def release(data: Any, rng: Any) -> float:
        state, found = (key_of(rng), initial[1]), 0.0
        for _ in range(count):
            one, state = update(numpy.float32(data[0]), state)
            found += float(one)
        return found

    return release


def _plans(shelf: Shelf) -> tuple[Entry, ...]:
    def one(name: str, strategy: list[float], why: Finding | None, **options: Any) -> Entry:
        call = f"BandMFExecutionPlanConfig(strategy={strategy}, {name}), two steps"
        return shelf.entry(
            f"plan-{name.split('=')[0].replace('_', '-')}",
            call,
            run_plan(planned(strategy, **options), 2),
            [1.0],
            [0.0],
            claims=GaussianDP(2**0.5),
            documented=PLANNED,
            broken=why,
            independent=True,
        )

    return (
        one("usual", [0.5], None),
        one("column_normalize=True", [0.5], _NORMALIZED, column_normalize=True),
    )


def _batches(shelf: Shelf) -> tuple[Entry, ...]:
    """Poisson sampling under the accountant of privacy-loss distributions."""
    accounting, events = library("dp_accounting"), library("jax_privacy.experimental.accounting")
    event = events.dpsgd_event(1.0, 2, sampling_prob=0.5)
    sampling = library("jax_privacy.batch_selection").CyclicPoissonSampling
    accountant = accounting.pld.PLDAccountant()
    return (
        shelf.entry(
            "poisson",
            "CyclicPoissonSampling(sampling_prob=0.5, iterations=2), dpsgd_event(1, 2)",
            selected(sampling(sampling_prob=0.5, iterations=2), 1.0),
            [1.0, 0.0, 0.0],
            [0.0, 0.0],
            claims=curve(accountant, event),
            relation=ADD_REMOVE,
            documented="dpsgd_event: a composition of poisson-sampled Gaussian mechanisms",
            independent=True,
        ),
    )

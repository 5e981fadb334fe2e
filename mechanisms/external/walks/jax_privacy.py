"""jax_privacy walked: clipped gradients over their options, matrices, batches and accountants.

Neighbors are a record more or less, one that is zeroed out where batches are truncated, and
for matrices the steps in which a record moves the released sums most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from audit.claims import GaussianDP
from audit.declaration import Entry
from mechanisms.external.jax_privacy import (
    CLIPPED,
    MATRIX,
    PLANNED,
    USUAL,
    planned,
    rows,
    run_plan,
    shelf,
    squares,
)
from mechanisms.external.jax_privacy.steps import (
    Correlated,
    Numbers,
    Step,
    curve,
    library,
    noisy,
    selected,
    worst_pattern,
)
from mechanisms.external.shelf import ADD_REMOVE, DECLARED, Shelf
from mechanisms.external.walks.steps import shown, step

_ONE, _NONE = [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]


def entries() -> tuple[Entry, ...]:
    """Enumerated calls of jax_privacy.

    Raises:
        InputError: it is not installed.
    """
    found = shelf()
    return (
        *_options(found),
        *_records(found),
        *_losses(found),
        *_matrices(found),
        *_plans(found),
        *_batches(found),
    )


def _asked(
    shelf: Shelf, call: str, asked: Step, pair: tuple[Numbers, Numbers], **options: Any
) -> Entry:
    given = {"claims": asked.claim, "relation": ADD_REMOVE, "documented": CLIPPED}
    return step(shelf, call, noisy(asked, pair), pair, independent=True, **{**given, **options})


def _options(shelf: Shelf) -> Iterator[Entry]:
    """Types, rescaling, normalization and microbatches; noise has 32 bits throughout."""
    usual = rows(*USUAL)
    for dtype in ("float32", "bfloat16", "float16"):
        for options in (
            {},
            {"rescale_to_unit_norm": True},
            {"normalize_by": 8.0},
            {"l2_clip_norm": 5.0, "rescale_to_unit_norm": True},
            {"microbatch_size": 1},
            {"microbatch_size": 2, "normalize_by": 8.0},
        ):
            asked = Step(
                loss=squares,
                dtype=dtype,
                options={"dtype": "float32", **options},
                noisy={"dtype": "float32"},
            )
            # A batch without its first record has three, which microbatches of two do not divide.
            pair = usual, np.vstack([usual[1:], [[30.0, -40.0, 1.0]]])
            call = f"clipped_grad({shown({'of': dtype, **options})})"
            yield _asked(shelf, call, asked, pair, relation=DECLARED)


def _records(shelf: Shelf) -> Iterator[Entry]:
    """A record that is strange, and one that is a padding example in the other dataset."""
    for value in (np.nan, np.inf, 1e38, 1e30, 1e18, 1e-20):
        strange = rows((value, 1.0), *USUAL[1:])
        for options in ({}, {"rescale_to_unit_norm": True}):
            asked = Step(loss=squares, options=options)
            call = f"clipped_grad({shown(options)}), a feature is {value}"
            yield _asked(shelf, call, asked, (strange, strange[1:]))
    for size in (None, 1, 2, 4):
        usual = rows(*USUAL)
        padded = usual.copy()
        padded[-1 if size == 2 else 0, -1] = 1.0
        asked = Step(loss=squares, options={"microbatch_size": size})
        call = f"clipped_grad(microbatch_size={size}), is_padding_example"
        yield _asked(shelf, call, asked, (usual, padded), relation=DECLARED)


def _losses(shelf: Shelf) -> Iterator[Entry]:
    """Pytrees, several arguments, groups, other outputs, randomness and transformations."""

    def tree(weights: Any, features: Any) -> Any:
        return squares(weights["a"], features) + (weights["b"][0] * features.sum()).sum()

    def two(one: Any, other: Any, features: Any) -> Any:
        return squares(one, features) + 3 * squares(other, -features)

    def told(weights: Any, features: Any) -> Any:
        return squares(weights, features), features

    def group(weights: Any, features: Any) -> Any:
        return squares(weights, features.reshape(-1, 2)).mean()

    def logistic(weights: Any, features: Any) -> Any:
        return library("jax.numpy").logaddexp(0.0, -100 * (weights * features).sum())

    def network(weights: Any, features: Any) -> Any:
        hidden = library("jax.numpy").tanh(weights["in"] * features.sum() / 10 + 0.1)
        return ((hidden * weights["out"]).sum() - 30.0) ** 2

    def half(tree: Any) -> Any:
        return library("jax").tree.map(lambda leaf: 0.5 * leaf, tree)

    ways: tuple[tuple[str, Callable[..., Any], Any, Mapping[str, Any]], ...] = (
        ("a pytree", tree, {"a": [0.0, 0.0], "b": ([1.0, 2.0, 3.0],)}, {}),
        ("argnums=(0, 1)", two, ([0.0, 0.0], [1.0, 1.0]), {"argnums": (0, 1), "batch_argnums": 2}),
        ("has_aux", told, [0.0, 0.0], {"has_aux": True}),
        (
            "return_values, return_grad_norms",
            squares,
            [0.0, 0.0],
            {"return_values": True, "return_grad_norms": True},
        ),
        ("keep_batch_dim", group, [0.0, 0.0], {"keep_batch_dim": True}),
        ("pre_clipping_transform", squares, [0.0, 0.0], {"pre_clipping_transform": half}),
        ("logistic", logistic, [0.0, 0.0], {}),
        ("a network", network, {"in": [0.1, -0.2, 0.3], "out": [1.0, 2.0, 3.0]}, {}),
    )
    for words, loss, params, options in ways:
        for more in ({}, {"l2_clip_norm": 0.01}):
            asked = Step(loss=loss, params=params, options={**options, **more})
            pair = rows(*USUAL), rows(*USUAL[1:])
            yield _asked(shelf, f"clipped_grad({words}, {shown(more)})", asked, pair)


_STEPS = 4


def _streamed(coefficients: list[float]) -> Any:
    """The noising matrix of a Toeplitz strategy, as a stream."""
    toeplitz = library("jax_privacy.matrix_factorization.toeplitz")
    return toeplitz.inverse_as_streaming_matrix(library("jax.numpy").array(coefficients))


def _toeplitz_level(coefficients: list[float], apart: int, most: int) -> float:
    toeplitz = library("jax_privacy.matrix_factorization.toeplitz")
    array = library("jax.numpy").array(coefficients)
    return float(toeplitz.minsep_sensitivity_squared(array, apart, most, _STEPS) ** 0.5)


def _upper_bound(strategy: Numbers, apart: int, most: int) -> float:
    sensitivity = library("jax_privacy.matrix_factorization.sensitivity")
    array = library("jax.numpy").array(strategy)
    return float(sensitivity.get_min_sep_sensitivity_upper_bound(array, apart, most))


def _matrices(shelf: Shelf) -> Iterator[Entry]:
    """Strategies and the sensitivities that the library computes, in the worst pattern."""
    for coefficients in ([1.0], [1.0, 0.5], [2.0, 1.0, 0.5], [1.0, 1.0, 1.0, 1.0]):
        strategy = sum(value * np.eye(_STEPS, k=-lag) for lag, value in enumerate(coefficients))
        strategy = np.asarray(strategy)
        for apart, most in ((1, 1), (1, 2), (2, 2), (1, 4)):
            ways: Mapping[str, tuple[Callable[[], Any], Callable[[], float]]] = {
                "toeplitz": (
                    partial(_streamed, coefficients),
                    partial(_toeplitz_level, coefficients, apart, most),
                ),
                "upper bound": (
                    partial(np.linalg.inv, strategy),
                    partial(_upper_bound, strategy, apart, most),
                ),
            }
            for words, (noising, level) in ways.items():
                correlated = Correlated(
                    noising=noising,
                    strategy=partial(np.asarray, strategy),
                    sensitivity=level,
                    pattern=worst_pattern(strategy, apart, most),
                )
                yield step(
                    shelf,
                    f"{words} of {coefficients}, min_sep={apart}, max_participations={most}",
                    correlated.released(),
                    ([1.0], [0.0]),
                    claims=GaussianDP(1.0),
                    documented=MATRIX,
                    independent=True,
                )


def _plans(shelf: Shelf) -> Iterator[Entry]:
    """Plans of one band, with every record in every batch: independent noise in each step."""
    for options in (
        {},
        {"l2_clip_norm": 3.0},
        {"rescale_to_unit_norm": False},
        {"normalize_by": 2.0},
        {"column_normalize": True},
        {"column_normalize": True, "iterations": 3},
    ):
        for strategy in ([1.0], [0.25]):
            count = int(options.get("iterations", 2))
            call = f"BandMFExecutionPlanConfig({shown({'strategy': strategy, **options})})"
            norm = 1.0 / float(options.get("normalize_by", 1.0))
            yield step(
                shelf,
                call,
                run_plan(planned(strategy, **options), count),
                ([norm], [0.0]),
                claims=GaussianDP(count**0.5),
                documented=PLANNED,
                independent=True,
            )


def _batches(shelf: Shelf) -> Iterator[Entry]:
    """Ways to select batches, each with its event and an accountant."""
    accounting = library("dp_accounting")
    relation = accounting.NeighboringRelation
    events = library("jax_privacy.experimental.accounting")
    batches = library("jax_privacy.batch_selection")
    cyclic = batches.CyclicPoissonSampling
    for noise in (0.7, 1.5):
        for probability, count in ((1.0, 1), (0.5, 1), (0.5, 3), (0.25, 2)):
            event = events.dpsgd_event(noise, count, sampling_prob=probability)
            strategy = cyclic(sampling_prob=probability, iterations=count)
            for name, accountant in (
                ("pld", accounting.pld.PLDAccountant()),
                ("rdp", accounting.rdp.RdpAccountant()),
            ):
                yield step(
                    shelf,
                    f"{name}: dpsgd_event({noise}, {count}, sampling_prob={probability})",
                    selected(strategy, noise),
                    (_ONE, _ONE[1:]),
                    claims=curve(accountant, event),
                    relation=ADD_REMOVE,
                    documented="dpsgd_event",
                    independent=True,
                )
        event = events.truncated_dpsgd_event(
            noise, 2, sampling_prob=0.5, num_examples=4, truncated_batch_size=2
        )
        yield step(
            shelf,
            f"truncated_dpsgd_event({noise}, 2, sampling_prob=0.5, truncated_batch_size=2)",
            selected(cyclic(sampling_prob=0.5, iterations=2, truncated_batch_size=2), noise),
            (_ONE, _NONE),
            claims=curve(accounting.pld.PLDAccountant(relation.REPLACE_SPECIAL), event),
            documented="truncated_dpsgd_event",
            independent=True,
        )
        event = events.amplified_bandmf_event(noise, 4, num_bands=2, sampling_prob=0.5)
        yield step(
            shelf,
            f"amplified_bandmf_event({noise}, 4, num_bands=2, sampling_prob=0.5)",
            selected(cyclic(sampling_prob=0.5, iterations=4, cycle_length=2), noise),
            (_ONE, _NONE),
            claims=curve(accounting.pld.PLDAccountant(relation.REPLACE_SPECIAL), event),
            documented="amplified_bandmf_event",
            independent=True,
        )
        event = events.fixed_dpsgd_event(noise, 2, dataset_size=4, batch_size=2)
        yield step(
            shelf,
            f"fixed_dpsgd_event({noise}, 2, dataset_size=4, batch_size=2)",
            selected(batches.FixedBatchSampling(batch_size=2, iterations=2), noise),
            ([0.5, 0.0, 0.0, 0.0], [-0.5, 0.0, 0.0, 0.0]),
            claims=curve(
                accounting.rdp.RdpAccountant(neighboring_relation=relation.REPLACE_ONE), event
            ),
            documented="fixed_dpsgd_event: compatible with RDP under REPLACE_ONE",
            independent=True,
        )

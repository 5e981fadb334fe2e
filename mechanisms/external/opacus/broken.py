"""Steps of Opacus by which one record is worth more than the noise is for."""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.declaration import Entry
from mechanisms.external.opacus import nets
from mechanisms.external.opacus.calls import CLIPPED, drawn, whole
from mechanisms.external.opacus.rows import (
    REPEATED,
    alone,
    bags,
    heavy,
    records,
    sequences,
    series,
)
from mechanisms.external.opacus.training import Private, Rows, Training, seed
from mechanisms.external.shelf import ADD_REMOVE, Finding, Shelf

_FAQ = (
    "FAQ: protects the privacy of any training example, no matter how strange, ill-fitting, or "
    "perfect this example is"
)
_COLUMN = Finding(
    "the per-sample losses have the shape [B, 1] and the clipping factors [B]: their product is "
    "a matrix, so that each gradient is multiplied by the sum of all factors"
)
_PADDED = Finding(
    "norms are computed for zeros as padding, gradients for the padding that the layer has"
)
_STRIDES = Finding(
    "unfold2d sets strides for a contiguous image, and reads elements that belong elsewhere"
)
_MIXED = Finding(
    "unfold2d sets strides for a contiguous image, and reads rows of other records", None
)
_REPEATED = Finding(
    "the gradient of a bag counts a repeated index once (none at all for the mode max), so that "
    "norms are too small"
)
_SORTED = Finding(
    "rows of gradients stand in the order of lengths in the recurrent layer, in that of the "
    "batch in others: norms are of two records",
    None,
)
_SCHEDULED = Finding(
    "schedulers set optimizer.max_grad_norm, which scales the noise; this clipping uses norms of "
    "its own"
)
_COUNTED = Finding(
    "the count of unclipped gradients is not centered as in the theorem, so that its sensitivity "
    "is 1, not 1/2; and it is divided by the true number of records",
    None,
)
_INFINITE = Finding("a norm that is infinite gives a factor of 0, and 0 times infinity is NaN")
_WEIGHTED = Finding(
    "the mean is divided by the weights of all records, so that one record scales the gradients "
    "of others before they are clipped"
)
_EMPTY = Finding("an empty batch raises", None)
_RENORMED = Finding(
    "the layer shortens the vectors of all tokens of a batch in place, without noise"
)


ADAPTIVE = {
    "target_unclipped_quantile": 0.5,
    "clipbound_learning_rate": 0.2,
    "max_clipbound": 1e3,
    "min_clipbound": 1e-3,
}


def entries(shelf: Shelf) -> tuple[Entry, ...]:
    """Calls whose claim does not hold."""
    return (
        *_ghosts(shelf),
        *_mixed(shelf),
        *_moving(shelf),
        *_strange(shelf),
        *_empty(shelf),
        _renormed(shelf),
    )


def _broken(
    shelf: Shelf,
    name: str,
    call: str,
    why: Finding,
    rows: Rows,
    documented: str = CLIPPED,
    **given: Any,
) -> Entry:
    training = Training(**{"net": nets.linear, "shape": (3,), **given})
    return whole(
        shelf, name, f"make_private({call})", training, rows, broken=why, documented=documented
    )


def _ghosts(shelf: Shelf) -> tuple[Entry, ...]:
    column = {"net": nets.last_layer, "column": True}
    ways: tuple[tuple[str, str, Finding, Rows, dict[str, Any]], ...] = (
        ("column", "Linear(3, 1), MSELoss of columns", _COLUMN, records(3), column),
        (
            "column-l1",
            "Linear(3, 1), L1Loss of columns",
            _COLUMN,
            records(3),
            {**column, "loss": "L1Loss"},
        ),
        (
            "padding",
            "Conv1d(padding=8, padding_mode='replicate')",
            _PADDED,
            records(1),
            {"net": nets.padded, "shape": (1, 1)},
        ),
        (
            "channels-last",
            "Conv2d of images in torch.channels_last",
            _STRIDES,
            records(48, seed=5),
            {"net": nets.channels_last, "shape": (3, 4, 4)},
        ),
        *(
            (
                f"bag-{mode}",
                f"EmbeddingBag(mode={mode!r}) of repeated tokens",
                _REPEATED,
                bags(*REPEATED),
                {"net": partial(nets.bag, mode), "shape": (9,), "tokens": True},
            )
            for mode in ("sum", "mean", "max")
        ),
    )
    return tuple(
        _broken(
            shelf,
            f"ghost-{name}",
            f"grad_sample_mode='ghost', {words}",
            why,
            rows,
            f"{CLIPPED}; DPTensorFastGradientClipping",
            mode="ghost",
            **given,
        )
        for name, words, why, rows, given in ways
    )


def _mixed(shelf: Shelf) -> tuple[Entry, ...]:
    """Rows of one record that are clipped with those of another one."""
    unsorted = {"net": nets.unsorted, "shape": (4, 2)}
    words = "DPLSTM of pack_padded_sequence(enforce_sorted=False)"
    lengths = [1, 3, 2, 4]
    documented = f"DPLSTM: DP-friendly drop-in replacement; {CLIPPED}"
    return (
        _broken(
            shelf,
            "conv2d-of-lstm",
            "DPLSTM(batch_first=True), then Conv2d",
            _MIXED,
            series(),
            net=nets.recurrent_then_convolved,
            shape=(3, 2),
        ),
        _broken(
            shelf,
            "packed-unsorted",
            words,
            _SORTED,
            sequences(lengths, 28),
            documented,
            **unsorted,
        ),
        _broken(
            shelf,
            "packed-unsorted-ghost",
            f"grad_sample_mode='ghost', {words}",
            _SORTED,
            sequences(lengths, 26),
            documented,
            mode="ghost",
            **unsorted,
        ),
    )


def _shrunk(optimizer: Any) -> None:
    """After one step of a scheduler the norm is a tenth."""
    schedulers = importlib.import_module("opacus.schedulers")
    schedulers.StepGradClip(optimizer, step_size=1, gamma=0.1).step()


def _moving(shelf: Shelf) -> tuple[Entry, ...]:
    """Clipping norms that change in training."""
    words = "StepGradClip(optimizer, step_size=1, gamma=0.1).step()"
    documented = f"StepGradClip: max_grad_norm will shrink and you'll clip more; {CLIPPED}"
    ways: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("ghost", "grad_sample_mode='ghost'", {"mode": "ghost"}),
        ("per-layer", "clipping='per_layer'", {"clipping": "per_layer"}),
    )
    scheduled = [
        _broken(
            shelf,
            f"schedule-{name}",
            f"{call}, {words}",
            _SCHEDULED,
            records(3),
            documented,
            scheduled=_shrunk,
            **given,
        )
        for name, call, given in ways
    ]
    adaptive = _broken(
        shelf,
        "adaptive-count",
        "clipping='adaptive', unclipped_num_std=0.6, noise_multiplier=1, 20 records",
        _COUNTED,
        alone(20),
        "AdaClipDPOptimizer.add_noise: Theorem 1 of arXiv 1905.03871",
        net=nets.no_bias,
        clipping="adaptive",
        options={**ADAPTIVE, "unclipped_num_std": 0.6},
    )
    return (*scheduled, adaptive)


def _strange(shelf: Shelf) -> tuple[Entry, ...]:
    """Records that are strange, and a loss that lets one record act on others."""
    far, missing = records(3), records(3)
    far[0, 0], missing[0, 0] = 1e30, np.nan
    return (
        _broken(shelf, "overflow", "Linear(3, 1), a feature is 1e30", _INFINITE, far, _FAQ),
        _broken(shelf, "nan", "Linear(3, 1), a feature is NaN", _INFINITE, missing, _FAQ),
        _broken(
            shelf,
            "weighted-loss",
            "loss_reduction='mean', CrossEntropyLoss(weight=[1, 1000])",
            _WEIGHTED,
            heavy(),
            net=partial(nets.from_zero, 2),
            shape=(2,),
            classes=True,
            loss="CrossEntropyLoss",
            reduction="mean",
            weighted={"weight": (1.0, 1000.0)},
        ),
    )


def _empty(shelf: Shelf) -> tuple[Entry, ...]:
    """Two batches of four records or of three: both may be empty, each with its probability."""
    options = {**ADAPTIVE, "unclipped_num_std": 100.0}
    ways: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (
            "adaptive",
            "clipping='adaptive', Linear(3, 1)",
            {"net": nets.linear, "shape": (3,), "clipping": "adaptive", "options": options},
        ),
        (
            "ghost-embedding",
            "grad_sample_mode='ghost', Embedding",
            {"net": nets.tokens, "shape": (3,), "tokens": True, "mode": "ghost"},
        ),
        ("attention", "DPMultiheadAttention", {"net": nets.attention, "shape": (3, 1)}),
    )
    return tuple(
        drawn(
            shelf,
            f"empty-{name}",
            f"make_private({call}, noise_multiplier=10), one batch",
            Training(**given, batches=2, noise=10.0),
            broken=_EMPTY,
            documented="DPDataLoader: Poisson sampling, supports empty batches by default",
        )
        for name, call, given in ways
    )


def _renormed(shelf: Shelf) -> Entry:
    training = Training(net=nets.renormed, shape=(2,), tokens=True, rate=1.0)

    def release(data: Any, rng: Generator) -> float:
        private = Private(training, np.asarray(data, dtype=float))
        seed(rng)
        private.steps(1)
        return float(private.optimizer.params[0][3].detach().norm())

    rows = np.array([[3.0, 3.0, 1.0], [1.0, 2.0, 1.0], [2.0, 2.0, 1.0]])
    return shelf.entry(
        "embedding-max-norm",
        "make_private(Embedding(max_norm=1)), one step; the vector of a token",
        release,
        rows,
        rows[1:],
        claims=training.claim,
        relation=ADD_REMOVE,
        documented=f"{_FAQ}; releasing the entire model is OK privacy-wise",
        broken=_RENORMED,
        independent=True,
    )

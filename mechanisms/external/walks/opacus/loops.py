"""Losses, schedules, strange records, drawn batches and accountants."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from audit.claims import GaussianDP
from audit.declaration import Entry
from mechanisms.external.opacus import nets
from mechanisms.external.opacus.broken import ADAPTIVE
from mechanisms.external.opacus.calls import ACCOUNTED
from mechanisms.external.opacus.rows import alone, heavy, records
from mechanisms.external.opacus.training import Rows, Training, sampled
from mechanisms.external.shelf import ADD_REMOVE, Finding, Shelf
from mechanisms.external.walks.opacus.asking import Asked
from mechanisms.external.walks.opacus.layers import WAYS
from mechanisms.external.walks.steps import shown, step

_WAYS: Mapping[str, Mapping[str, Any]] = {
    **WAYS,
    "hooks, adaptive": {
        "clipping": "adaptive",
        "options": {**ADAPTIVE, "unclipped_num_std": 100.0},
    },
    "ghost, no wrapping": {"mode": "ghost", "options": {"wrap_model": False}},
}
_MEANS = {"sum": {}, "mean": {"reduction": "mean"}}


def asked() -> Iterator[Asked]:
    """Steps that have all records."""
    found = (*_losses(), *_schedules(), *_adaptive(), *_strange(), *_noise())
    return (one for one in found if not one.refused)


def _losses() -> Iterator[Asked]:
    columns = {"net": nets.last_layer, "shape": (3,), "column": True}
    classes = {"net": lambda: nets.from_zero(2), "shape": (2,), "classes": True}
    bits = records(3)
    bits[:, -1] = [0, 1, 1, 0]
    weight = {"weighted": {"weight": (1.0, 1000.0)}}
    ways: tuple[tuple[str, Rows, dict[str, Any]], ...] = (
        *(
            (f"{loss} of {words}", records(3), {**given, "loss": loss})
            for loss in ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss")
            for words, given in (
                ("columns", columns),
                ("numbers", {"net": nets.linear, "shape": (3,)}),
            )
        ),
        ("BCEWithLogitsLoss of columns", bits, {**columns, "loss": "BCEWithLogitsLoss"}),
        ("CrossEntropyLoss", heavy(), {**classes, "loss": "CrossEntropyLoss"}),
        (
            "CrossEntropyLoss(weight=[1, 1000])",
            heavy(),
            {**classes, **weight, "loss": "CrossEntropyLoss"},
        ),
        ("MultiMarginLoss", heavy(), {**classes, "loss": "MultiMarginLoss"}),
        (
            "MultiMarginLoss(weight=[1, 1000])",
            heavy(),
            {**classes, **weight, "loss": "MultiMarginLoss"},
        ),
    )
    for words, rows, given in ways:
        for way in ("hooks", "ghost"):
            for mean, reduction in _MEANS.items():
                training = Training(**{**given, **_WAYS[way], **reduction})
                yield Asked(f"{words}, {way}, {mean}", training, rows)


def _scheduled(name: str, options: Mapping[str, Any]) -> Callable[[Any], None]:
    def scheduled(optimizer: Any) -> None:
        kind = getattr(importlib.import_module("opacus.schedulers"), name)
        kind(optimizer, **options).step()

    return scheduled


def _schedules() -> Iterator[Asked]:
    """One step of a schedule before the step that is audited."""
    norms: tuple[tuple[str, dict[str, Any]], ...] = (
        ("ExponentialGradClip", {"gamma": 0.5}),
        ("ExponentialGradClip", {"gamma": 2.0}),
        ("StepGradClip", {"step_size": 1, "gamma": 0.5}),
    )
    for name, options in norms:
        for way in ("hooks", "functorch", "hooks, per layer", "ghost", "ghost, no wrapping"):
            training = Training(
                net=nets.linear, shape=(3,), scheduled=_scheduled(name, options), **_WAYS[way]
            )
            yield Asked(f"{name}({shown(options)}).step(), {way}", training, records(3))
    for name, options in (
        ("ExponentialNoise", {"gamma": 0.5}),
        ("StepNoise", {"step_size": 1, "gamma": 0.5}),
    ):
        for way in ("hooks", "hooks, per layer", "hooks, adaptive", "ghost"):
            training = Training(
                net=nets.linear,
                shape=(3,),
                noise=2.0,
                scheduled=_scheduled(name, options),
                **_WAYS[way],
            )
            yield Asked(
                f"{name}({shown(options)}).step(), {way}",
                training,
                records(3),
                {"claims": GaussianDP(1.0)},
            )


def _adaptive() -> Iterator[Asked]:
    """The count of unclipped gradients, with noise of several sizes."""
    for count in (5, 20, 80):
        for std in (0.6, 1.0, 2.0, 5.0):
            options = {**ADAPTIVE, "unclipped_num_std": std}
            training = Training(net=nets.no_bias, shape=(3,), clipping="adaptive", options=options)
            call = f"adaptive clipping of {count} records, unclipped_num_std={std}"
            yield Asked(call, training, alone(count))


def _strange() -> Iterator[Asked]:
    for words, value in (("NaN", np.nan), ("infinite", np.inf), ("1e30", 1e30), ("1e18", 1e18)):
        rows = records(3)
        rows[0, 0] = value
        for way in ("hooks", "hooks, per layer", "functorch", "ghost"):
            training = Training(net=nets.linear, shape=(3,), **_WAYS[way])
            yield Asked(f"Linear, a feature is {words}, {way}", training, rows)


def _noise() -> Iterator[Asked]:
    """Noise multipliers, norms, and the noise of secure mode."""

    def secure(optimizer: Any) -> None:
        optimizer.secure_mode = True

    for noise in (0.5, 2.0):
        for norm in (0.01, 10.0):
            for way in ("hooks", "hooks, per layer", "ghost"):
                for words, scheduled in (("", None), (", secure_mode=True", secure)):
                    training = Training(
                        net=nets.linear,
                        shape=(3,),
                        noise=noise,
                        norm=norm,
                        scheduled=scheduled,
                        **_WAYS[way],
                    )
                    call = f"noise_multiplier={noise}, max_grad_norm={norm}{words}, {way}"
                    yield Asked(call, training, records(3))


def drawn(shelf: Shelf) -> Iterator[Entry]:
    """Steps on batches that are drawn."""
    gdp = Finding(
        "a limit for many steps, taken of few",
        None,
        "",
        "GaussianAccountant warns that it can underestimate privacy expenditure",
    )
    for accountant in ("rdp", "prv", "gdp"):
        for batches in (1, 2, 3):
            for noise in (0.7, 1.5):
                for steps in (1, 3):
                    training = Training(
                        net=nets.no_bias,
                        shape=(3,),
                        batches=batches,
                        noise=noise,
                        accountant=accountant,
                    )
                    yield _steps(shelf, training, steps, "", gdp if accountant == "gdp" else None)
    for way in ("hooks", "hooks, per layer", "ghost"):
        for batches in (1, 2):
            for physical in (1, 2):
                training = Training(
                    net=nets.no_bias,
                    shape=(3,),
                    batches=batches,
                    physical=physical,
                    accountant="prv",
                    **_WAYS[way],
                )
                words = f", BatchMemoryManager({physical}), {way}"
                yield _steps(shelf, training, 2, words)
    for options in ({"rand_on_empty": True}, {"poisson_sampling": False}):
        training = Training(
            net=nets.no_bias, shape=(3,), batches=2, accountant="prv", options=options
        )
        yield _steps(shelf, training, 2, f", {shown(options)}")


def _steps(
    shelf: Shelf, training: Training, steps: int, words: str, warned: Finding | None = None
) -> Entry:
    rows = alone(2 * training.batches)
    pair = rows, rows[1:]
    call = (
        f"{training.accountant}: {steps} steps of {training.batches} batches, "
        f"noise_multiplier={training.noise}{words}"
    )
    return step(
        shelf,
        call,
        sampled(training, pair, steps),
        pair,
        claims=training.curve(steps),
        relation=ADD_REMOVE,
        documented=ACCOUNTED,
        broken=warned,
        independent=True,
    )

"""Layers of PyTorch and Opacus, each under every way to compute and clip its gradients."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mechanisms.external.opacus import nets
from mechanisms.external.opacus.nets import attending, dp, nn, recurrent, scored
from mechanisms.external.opacus.rows import REPEATED, bags, records, sequences
from mechanisms.external.opacus.training import Rows, Training
from mechanisms.external.walks.opacus.asking import Asked


@dataclass(frozen=True, slots=True)
class Model:
    """A model around one layer.

    Attributes:
        words: the layer, as users write it.
        net: makes the model.
        shape: of the features of a record.
        given: further fields of `Training`.
        rows: records; random ones where there are none.
    """

    words: str
    net: Callable[[], Any]
    shape: tuple[int, ...]
    given: Mapping[str, Any] = field(default_factory=dict)
    rows: Rows | None = None


WAYS: Mapping[str, Mapping[str, Any]] = {
    "hooks": {},
    "hooks, per layer": {"clipping": "per_layer"},
    "functorch": {"mode": "functorch"},
    "ghost": {"mode": "ghost"},
}


def asked() -> Iterator[Asked]:
    """Every model in every way that the library does not refuse."""
    for model in _models():
        tokens = bool(model.given.get("tokens"))
        rows = records(math.prod(model.shape), tokens=tokens) if model.rows is None else model.rows
        for way, given in WAYS.items():
            training = Training(net=model.net, shape=model.shape, **{**model.given, **given})
            found = Asked(f"{model.words}, {way}", training, rows)
            if not found.refused:
                yield found


def _models() -> Iterator[Model]:
    yield from _dense()
    yield from _convolutions()
    yield from _norms()
    yield from _tokens()
    yield from _recurrent()
    yield from _others()


def _layer(name: str, shape: tuple[int, ...], *args: Any, **options: Any) -> Model:
    """A layer of PyTorch whose outputs are scored."""
    told = [*map(str, args), *(f"{key}={value}" for key, value in options.items())]
    words = f"{name}({', '.join(told)}) of {'x'.join(map(str, shape))}"
    return Model(words, lambda: scored(getattr(nn(), name)(*args, **options)), shape)


def _dense() -> Iterator[Model]:
    yield _layer("Linear", (3,), 3, 2)
    yield _layer("Linear", (3,), 3, 2, bias=False)
    yield _layer("Linear", (5, 3), 3, 2)
    yield _layer("Linear", (2, 4, 3), 3, 2)
    yield Model("Linear(3, 2), frozen bias", nets.frozen, (3,))
    yield Model("Linear(3, 3), applied twice", lambda: nets.twice(nn().Linear(3, 3)), (3,))
    yield Model("Module with a parameter of its own", nets.own, (3,))
    yield Model(
        "Linear(3, 4), Tanh(), Linear(4, 2)",
        lambda: scored(nn().Sequential(nn().Linear(3, 4), nn().Tanh(), nn().Linear(4, 2))),
        (3,),
    )
    yield _layer("PReLU", (3,))


def _convolutions() -> Iterator[Model]:
    yield _layer("Conv1d", (2, 6), 2, 3, 3, padding=1)
    yield _layer("Conv1d", (2, 6), 2, 3, 2, stride=2, dilation=2)
    yield _layer("Conv1d", (4, 6), 4, 4, 3, groups=2)
    yield _layer("Conv1d", (2, 8), 2, 3, 4, padding="same", dilation=2)
    yield _layer("Conv1d", (2, 6), 2, 3, 3, padding=2, padding_mode="replicate")
    yield _layer("Conv2d", (2, 4, 4), 2, 3, 3)
    yield _layer("Conv2d", (2, 4, 4), 2, 3, 3, padding=1, bias=False)
    yield _layer("Conv2d", (2, 5, 5), 2, 3, 2, stride=2, dilation=2)
    yield _layer("Conv2d", (4, 4, 4), 4, 8, 2, groups=4)
    yield _layer("Conv2d", (2, 4, 5), 2, 3, (2, 3), padding="same")
    for mode in ("reflect", "replicate", "circular"):
        yield _layer("Conv2d", (2, 4, 4), 2, 3, 3, padding=2, padding_mode=mode)
    yield _layer("Conv3d", (1, 3, 3, 3), 1, 2, 2)
    yield _layer("Conv3d", (1, 4, 4, 4), 1, 2, (2, 3, 2), padding="same", dilation=1)
    yield _layer("ConvTranspose1d", (2, 5), 2, 2, 3)
    yield _layer("ConvTranspose2d", (2, 3, 3), 2, 2, 2)
    yield Model("Conv2d(3, 2, 2), channels last", nets.channels_last, (3, 4, 4))
    yield Model(
        "Conv2d(3, 2, 2), transposed images",
        lambda: nets.seen_as(lambda x: x.transpose(2, 3), nn().Conv2d(3, 2, 2)),
        (3, 4, 4),
    )
    yield Model(
        "Conv2d(2, 2, 3), applied twice",
        lambda: nets.twice(nn().Conv2d(2, 2, 3, padding=1)),
        (2, 3, 3),
    )


def _norms() -> Iterator[Model]:
    yield _layer("LayerNorm", (6,), 6)
    yield _layer("LayerNorm", (3, 4), [3, 4])
    yield _layer("LayerNorm", (3, 4), 4)
    yield _layer("GroupNorm", (4, 3), 2, 4)
    yield _layer("RMSNorm", (6,), 6)
    yield _layer("RMSNorm", (3, 4), 4)
    yield _layer("InstanceNorm1d", (4, 3), 4, affine=True)
    yield _layer("InstanceNorm2d", (2, 3, 3), 2, affine=True)
    yield _layer("InstanceNorm3d", (2, 2, 2, 3), 2, affine=True)
    yield Model(
        "ModuleValidator.fix(BatchNorm2d(4))",
        lambda: scored(nets.fixed(nn().BatchNorm2d(4))),
        (4, 2, 2),
    )


def _tokens() -> Iterator[Model]:
    given = {"tokens": True}
    for options in ({}, {"padding_idx": 1}, {"scale_grad_by_freq": True}):
        words = ", ".join(["Embedding(6, 2", *(f"{k}={v}" for k, v in options.items())])
        yield Model(f"{words})", _embedding(options), (4,), given)
    yield Model("Embedding(6, 3) tied to Linear(3, 6)", nets.tied, (4,), given)
    distinct = bags([0, 1], [1, 2], [3, 4], [5, 2])
    for mode in ("sum", "mean", "max"):
        net = _bag(mode)
        yield Model(f"EmbeddingBag(6, 2, mode={mode})", net, (2,), given, distinct)
        repeated = bags(*REPEATED)
        yield Model(f"EmbeddingBag(6, 2, mode={mode}), repeats", net, (9,), given, repeated)


def _embedding(options: Mapping[str, Any]) -> Callable[[], Any]:
    return lambda: scored(nn().Embedding(6, 2, **options))


def _bag(mode: str) -> Callable[[], Any]:
    return lambda: nets.bag(mode)


def _recurrent() -> Iterator[Model]:
    for name in ("DPRNN", "DPGRU", "DPLSTM"):
        for words, options in (
            ("", {}),
            (", bias=False", {"bias": False}),
            (", num_layers=2, bidirectional", {"num_layers": 2, "bidirectional": True}),
        ):
            call = f"{name}(2, 3{words})"
            yield Model(call, _rnn(name, options), (4, 2))
        for order, lengths in (("sorted", [5, 4, 2, 1]), ("unsorted", [2, 4, 5, 1])):
            yield Model(
                f"{name}(2, 3), {order} packed sequences",
                _packed(name, order == "sorted"),
                (5, 2),
                {},
                sequences(lengths, 0),
            )
    yield Model("DPLSTM(2, 3) then Conv2d(1, 1, 3)", nets.recurrent_then_convolved, (3, 2))


def _rnn(name: str, options: Mapping[str, Any]) -> Callable[[], Any]:
    return lambda: recurrent(dp(name)(2, 3, batch_first=True, **options))


def _packed(name: str, sort: bool) -> Callable[[], Any]:
    return lambda: nets.packed(dp(name)(2, 3, batch_first=True), sort)


def _others() -> Iterator[Model]:
    for words, options in (
        ("", {}),
        (", bias=False", {"bias": False}),
        (", add_zero_attn=True", {"add_zero_attn": True}),
        (", kdim=4, vdim=4", {"kdim": 4, "vdim": 4}),
    ):
        yield Model(f"DPMultiheadAttention(4, 2{words})", _attention(options), (3, 4))
    yield Model(
        "ModuleValidator.fix(TransformerEncoderLayer(4, 2, 5))",
        lambda: scored(
            nets.fixed(nn().TransformerEncoderLayer(4, 2, 5, dropout=0.0, batch_first=True))
        ),
        (3, 4),
    )


def _attention(options: Mapping[str, Any]) -> Callable[[], Any]:
    return lambda: attending(dp("DPMultiheadAttention")(4, 2, batch_first=True, **options))

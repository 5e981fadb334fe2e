"""Small models: layers of PyTorch and of Opacus, and how their outputs are scored."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def torch() -> Any:
    """PyTorch, imported when it is needed."""
    return importlib.import_module("torch")


def nn() -> Any:
    """The layers of PyTorch."""
    return importlib.import_module("torch.nn")


def dp(name: str) -> Any:
    """A layer of Opacus."""
    return getattr(importlib.import_module("opacus.layers"), name)


def net(forward: Callable[[Any, Any], Any], **parts: Any) -> Any:
    """A module with named parts, and what it does with its input."""
    made = type("Net", (nn().Module,), {"forward": forward})()
    for name, part in parts.items():
        made.add_module(name, part)
    return made


def score(outputs: Any) -> Any:
    """One number for each record, with another weight for each output."""
    flat = outputs.flatten(1)
    return flat @ torch().linspace(0.5, 1.0, flat.shape[1])


def scored(layer: Any) -> Any:
    """A layer whose outputs are scored."""
    return net(lambda self, x: score(self.layer(x)), layer=layer)


def recurrent(layer: Any) -> Any:
    """A recurrent layer whose outputs of all times are scored."""
    return net(lambda self, x: score(self.layer(x)[0]), layer=layer)


def attending(layer: Any) -> Any:
    """Attention of a sequence to itself."""
    return net(lambda self, x: score(self.layer(x, x, x)[0]), layer=layer)


def seen_as(view: Callable[[Any], Any], layer: Any) -> Any:
    """A layer that gets its input in another layout."""
    return net(lambda self, x: score(self.layer(view(x))), layer=layer)


def packed(layer: Any, sort: bool) -> Any:
    """A recurrent layer on packed sequences, and a linear one on its last states.

    The first feature of the first time is the length of a sequence.

    Args:
        layer: takes sequences of 2 features, and has 3 units.
        sort: whether the caller sorts sequences by their lengths.
    """
    pack = importlib.import_module("torch.nn.utils.rnn").pack_padded_sequence

    def forward(self: Any, x: Any) -> Any:
        lengths = x[:, 0, 0].long()
        _, last = self.layer(pack(x, lengths, batch_first=True, enforce_sorted=sort))
        last = last[0] if isinstance(last, tuple) else last
        return self.head(last[-1]).flatten()

    return net(forward, layer=layer, head=nn().Linear(3, 1))


def recurrent_then_convolved() -> Any:
    """An LSTM whose outputs are an image of times and units."""

    def forward(self: Any, x: Any) -> Any:
        outputs, _ = self.layer(x)
        return self.head(outputs.unsqueeze(1)).flatten()

    return net(forward, layer=dp("DPLSTM")(2, 3, batch_first=True), head=nn().Conv2d(1, 1, (3, 3)))


def bag(mode: str) -> Any:
    """Bags of tokens, one of each record, as a list of all tokens and the start of each bag."""

    def forward(self: Any, x: Any) -> Any:
        starts = torch().arange(len(x)) * x.shape[1]
        return score(self.layer(x.flatten(), starts))

    return net(forward, layer=nn().EmbeddingBag(6, 2, mode=mode))


def tied() -> Any:
    """An embedding whose weights are those of the last layer, too."""
    made = net(
        lambda self, x: score(self.head(self.layer(x).sum(1))),
        layer=nn().Embedding(6, 3),
        head=nn().Linear(3, 6, bias=False),
    )
    made.head.weight = made.layer.weight
    return made


def twice(layer: Any) -> Any:
    """A layer that is applied to its own outputs."""
    return net(lambda self, x: score(self.layer(self.layer(x))), layer=layer)


def own() -> Any:
    """A layer of the user's own, which no sampler is registered for."""
    made = type(
        "Own", (nn().Module,), {"forward": lambda self, x: self.scale * x.sum(-1, keepdim=True)}
    )()
    made.scale = nn().Parameter(torch().ones(1))
    return net(lambda self, x: score(self.layer(x)), layer=made)


def frozen() -> Any:
    """A linear layer that learns its weights but no bias."""
    layer = nn().Linear(3, 2)
    layer.bias.requires_grad = False
    return scored(layer)


def fixed(layer: Any) -> Any:
    """A layer in the place of which Opacus puts one that it supports."""
    validator = importlib.import_module("opacus.validators").ModuleValidator
    return validator.fix(layer)


def from_zero(outputs: int) -> Any:
    """A linear layer without a bias that predicts zeros."""
    layer = nn().Linear(2, outputs, bias=False)
    nn().init.zeros_(layer.weight)
    return layer


def linear() -> Any:
    """A linear layer of 3 features, the output of which is the prediction."""
    return scored(nn().Linear(3, 1))


def no_bias() -> Any:
    """The same without a bias: records of zeros have no gradient."""
    return scored(nn().Linear(3, 1, bias=False))


def last_layer() -> Any:
    """A linear layer as PyTorch has it, with a column of outputs."""
    return nn().Linear(3, 1)


def padded() -> Any:
    """A convolution that repeats the ends of its input."""
    return scored(nn().Conv1d(1, 2, 3, padding=8, padding_mode="replicate"))


def channels_last() -> Any:
    """A convolution of an image whose channels are stored last."""
    layout = torch().channels_last
    return seen_as(lambda x: x.to(memory_format=layout), nn().Conv2d(3, 2, 2))


def unsorted(kind: str = "DPLSTM") -> Any:
    """A recurrent layer on sequences that PyTorch sorts by their lengths."""
    return packed(dp(kind)(2, 3, batch_first=True), sort=False)


def attention() -> Any:
    """Attention of a sequence of 3 numbers to itself."""
    return attending(dp("DPMultiheadAttention")(1, 1, batch_first=True))


def tokens() -> Any:
    """An embedding of 31 tokens."""
    return scored(nn().Embedding(31, 2))


def renormed() -> Any:
    """An embedding with long vectors, which its own option shortens to length 1."""
    layer = nn().Embedding(6, 2, max_norm=1.0)
    nn().init.constant_(layer.weight, 5.0)
    return scored(layer)

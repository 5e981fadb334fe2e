"""Private training by Opacus, and what an attacker reads off its noisy gradients.

The attacker knows the pair of datasets, as the definition of privacy has it, and projects the
noisy sum of gradients on the line on which the two sums without noise differ. If a gradient is
clipped, the projection moves by the clipping norm at most.
"""

from __future__ import annotations

import importlib
import logging
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.claims import Claim, GaussianDP, ProfileDP
from mechanisms.external.call import Release

Rows = NDArray[np.float64]
"""A row for each record: its features, then its target."""
_DELTAS = (0.01, 0.05, 0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A training loop with all of its records in every batch, unless it is told otherwise.

    Attributes:
        net: makes the model.
        shape: of the features of a record.
        tokens: whether features are indices.
        column: whether targets keep a dimension of length 1, as outputs of one unit do.
        classes: whether targets are classes.
        loss: the criterion, by its name in torch.nn.
        weighted: tensors that the criterion is given.
        mode: `grad_sample_mode`.
        clipping: of `make_private`.
        reduction: `loss_reduction`; a mean is multiplied by the size of its batch again.
        noise: `noise_multiplier`.
        norm: `max_grad_norm`; for clipping by layers that of all layers together.
        batches: number of batches that the loader divides the records into.
        physical: the largest batch of a BatchMemoryManager, None for none.
        accountant: of the engine.
        rate: of learning; 0 leaves the weights as they are, so that steps have one line.
        options: further options of `make_private`.
        scheduled: changes the optimizer before the first step.
    """

    net: Callable[[], Any]
    shape: tuple[int, ...]
    tokens: bool = False
    column: bool = False
    classes: bool = False
    loss: str = "MSELoss"
    weighted: Mapping[str, Any] = field(default_factory=dict)
    mode: str = "hooks"
    clipping: str = "flat"
    reduction: str = "sum"
    noise: float = 1.0
    norm: float = 1.0
    batches: int = 1
    physical: int | None = None
    accountant: str = "rdp"
    rate: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)
    scheduled: Callable[[Any], None] | None = None

    @property
    def claim(self) -> Claim:
        """One step that has all records: the Gaussian mechanism."""
        return GaussianDP(1.0 / self.noise)

    def curve(self, steps: int) -> Claim:
        """The curve of the accountant after some steps."""
        return _curve(self.accountant, self.noise, self.batches, steps)


@cache
def _curve(mechanism: str, noise: float, batches: int, steps: int) -> Claim:
    accountants = importlib.import_module("opacus.accountants")
    rows: dict[float, float] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        accountant = accountants.create_accountant(mechanism=mechanism)
        for _ in range(steps):
            accountant.step(noise_multiplier=noise, sample_rate=1 / batches)
        for delta in _DELTAS:
            with suppress(ValueError, RuntimeError):  # how it says that epsilon is below 0
                rows.setdefault(max(0.0, float(accountant.get_epsilon(delta))), delta)
    return ProfileDP(tuple(sorted(rows.items())))


class Private:
    """What `make_private` gives for one dataset; made by no seed but 0."""

    def __init__(self, training: Training, rows: Rows) -> None:
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
        logging.getLogger("opacus").setLevel(logging.ERROR)
        torch.manual_seed(0)
        self._training = training
        net = training.net()
        held = sum(weights.requires_grad for weights in net.parameters())
        norm: Any = training.norm
        if training.clipping == "per_layer":
            norm = [norm / held**0.5] * held
        features = torch.tensor(rows[:, :-1]).reshape(-1, *training.shape)
        targets = torch.tensor(rows[:, -1:] if training.column else rows[:, -1])
        data = importlib.import_module("torch.utils.data")
        dataset = data.TensorDataset(
            features.long() if training.tokens else features.float(),
            targets.long() if training.classes else targets.float(),
        )
        kind = getattr(torch.nn, training.loss)
        weights = {name: torch.tensor(value) for name, value in training.weighted.items()}
        criterion = kind(reduction=training.reduction, **weights)
        used = [weights for weights in net.parameters() if weights.requires_grad]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            engine = importlib.import_module("opacus").PrivacyEngine(accountant=training.accountant)
            made = engine.make_private(
                module=net,
                optimizer=torch.optim.SGD(used, lr=training.rate),
                criterion=criterion,
                data_loader=data.DataLoader(dataset, batch_size=-(-len(rows) // training.batches)),
                noise_multiplier=training.noise,
                max_grad_norm=norm,
                loss_reduction=training.reduction,
                clipping=training.clipping,
                grad_sample_mode=training.mode,
                **training.options,
            )
        self.model, self.optimizer, self._loader = made[0], made[1], made[-1]
        self._criterion = made[2] if training.mode == "ghost" else criterion
        if training.scheduled is not None:
            training.scheduled(self.optimizer)

    def backward(self, batch: Any) -> None:
        """Forward and backward, as users write them."""
        self.optimizer.zero_grad()
        features, targets = batch
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._criterion(self.model(features), targets).backward()

    def clipped(self) -> list[Any]:
        """Clipped sums of the first batch, which has all records, before noise."""
        self.backward(next(iter(self._loader)))
        ghost = self._training.mode == "ghost"
        (self.optimizer.accumulate if ghost else self.optimizer.clip_and_accumulate)()
        return [weights.summed_grad.clone() for weights in self.optimizer.params]

    def gradient(self) -> Rows:
        """What the optimizer has made of the gradients; a mean is a sum again."""
        torch = importlib.import_module("torch")
        flat = torch.cat([one.grad.reshape(-1) for one in self.optimizer.params])
        scale = self.optimizer.expected_batch_size if self._training.reduction == "mean" else 1
        return np.asarray(flat.double().numpy() * scale)

    def steps(self, count: int) -> list[Rows]:
        """Noisy gradients of some steps on batches that the loader draws."""
        found: list[Rows] = []
        manager = importlib.import_module("opacus.utils.batch_memory_manager")
        loader = self._loader
        if self._training.physical is not None:
            loader = manager.BatchMemoryManager(
                data_loader=loader,
                max_physical_batch_size=self._training.physical,
                optimizer=self.optimizer,
            ).__enter__()
        while len(found) < count:
            for batch in loader:
                self.backward(batch)
                self.optimizer.step()
                if not self.optimizer._is_last_step_skipped:
                    found.append(self.gradient())
        return found[:count]


def seed(rng: Generator) -> None:
    """Begin the generator of PyTorch anew; its own function for that is slow."""
    importlib.import_module("torch").default_generator.manual_seed(int(rng.integers(2**63)))


def total(training: Training, rows: Rows) -> Rows:
    """The clipped sum of all records, without noise."""
    sums = Private(replace(training, batches=1), rows).clipped()
    return np.concatenate([part.numpy().ravel() for part in sums])


def direction(training: Training, pair: tuple[Rows, Rows]) -> Rows:
    """The unit vector on which the sums without noise differ; where they are no numbers, any."""
    difference = total(training, pair[0]) - total(training, pair[1])
    difference = np.nan_to_num(difference, posinf=0.0, neginf=0.0)
    length = np.linalg.norm(difference)
    return np.asarray(difference / length) if length else np.eye(len(difference))[0]


def without_most(training: Training, rows: Rows) -> Rows:
    """The records without the one whose absence moves the clipped sum most."""
    found = [total(training, rows)]
    rests = [np.delete(rows, place, axis=0) for place in range(len(rows))]
    found.extend(total(training, rest) for rest in rests)
    moved = [np.linalg.norm(found[0] - other) for other in found[1:]]
    return rests[int(np.argmax(np.nan_to_num(moved, nan=np.inf)))]


def noisy(training: Training, pair: Callable[[], tuple[Rows, Rows]]) -> Release:
    """One step with all records; the clipped sum of a dataset is computed once.

    Args:
        training: one batch has all records.
        pair: the two datasets that the attacker knows.
    """

    @cache
    def line() -> Rows:
        return direction(training, pair())

    @cache
    def prepared(shape: tuple[int, ...], content: bytes) -> tuple[Private, list[Any], Any]:
        private = Private(training, np.frombuffer(content).reshape(shape))
        sums = private.clipped()
        return private, sums, getattr(private.optimizer, "unclipped_num", None)

    def release(data: Any, rng: Generator) -> Any:
        rows = np.ascontiguousarray(data, dtype=float)
        private, sums, unclipped = prepared(rows.shape, rows.tobytes())
        optimizer = private.optimizer
        seed(rng)
        for weights, clean in zip(optimizer.params, sums, strict=True):
            weights.summed_grad = clean.clone()
        if unclipped is None:
            optimizer.add_noise()
            optimizer.scale_grad()
            return float(private.gradient() @ line())
        optimizer.unclipped_num, optimizer.max_grad_norm = unclipped, training.norm
        optimizer.add_noise()
        optimizer.scale_grad()
        optimizer.update_max_grad_norm()
        return float(private.gradient() @ line()), float(optimizer.max_grad_norm)

    return release


def sampled(training: Training, pair: tuple[Rows, Rows], steps: int = 1) -> Release:
    """Some steps on batches that the loader draws, and the sum of their projections.

    Args:
        training: with a rate of 0.
        pair: the two datasets that the attacker knows.
        steps: their number.
    """

    @cache
    def line() -> Rows:
        return direction(training, pair)

    @cache
    def prepared(shape: tuple[int, ...], content: bytes) -> Private:
        return Private(training, np.frombuffer(content).reshape(shape))

    def release(data: Any, rng: Generator) -> float:
        rows = np.ascontiguousarray(data, dtype=float)
        towards, private = line(), prepared(rows.shape, rows.tobytes())
        seed(rng)
        try:
            return float(sum(gradient @ towards for gradient in private.steps(steps)))
        except Exception:
            prepared.cache_clear()
            raise

    return release

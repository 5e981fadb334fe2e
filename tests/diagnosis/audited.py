"""Audits of broken mechanisms: the pair of datasets and the event that refuted each claim."""

from __future__ import annotations

import ast
import pickle
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import audit
from audit.declaration import Entry
from audit.diagnosis.evidence import Observed
from audit.diagnosis.likely_cause import observed_of
from audit.verdict.result import Verdict, Witness

MAX_SAMPLES = 40_000
"""Runs of one audit; a claim that takes more to refute is left out of the figures."""

_RUN = re.compile(r"([\d,]+) × ([^,;]+)")
"""Equal records in a row, as large datasets are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuted:
    """The counterexample of one audit.

    Attributes:
        dataset: D, on which the event is too likely.
        neighbor: D′.
        observed: the event; None if a function of the output refuted the claim.
    """

    dataset: Any
    neighbor: Any
    observed: Observed | None


def refuted(entry: Entry, seed: int, folder: Path) -> Refuted | None:
    """The counterexample of an audit, None if the claim was not refuted.

    Args:
        entry: of the catalogue.
        seed: of the audit.
        folder: keeps what was found, so that rules can be changed without another audit.
    """
    path = folder / f"{entry.name}.{seed}.pkl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(_audited(entry, seed)))
    found: Refuted | None = pickle.loads(path.read_bytes())
    return found


def _audited(entry: Entry, seed: int) -> Refuted | None:
    result = audit.run(entry, max_samples=MAX_SAMPLES, until="violation", seed=seed)
    witness = result.witness
    if result.verdict is not Verdict.VIOLATION or witness is None:
        return None
    dataset, neighbor = _datasets(entry, witness)
    return Refuted(dataset=dataset, neighbor=neighbor, observed=observed_of(witness))


def _datasets(entry: Entry, witness: Witness) -> tuple[Any, Any]:
    """Both datasets as the mechanism gets them, the witness's D first."""
    name = witness.pair.removesuffix(" singly")
    if name.startswith("D"):
        pair = entry.data, entry.neighbors[int(name[1:]) - 1]
        return pair if witness.direction.startswith("D over") else pair[::-1]
    like = entry.data
    return _as_given(witness.dataset, like), _as_given(witness.neighbor, like)


def _as_given(shown: Any, like: Any) -> Any:
    """A dataset from JSON values, or from "29 × 0, then 1 × 3", of the kind of the entry's own."""
    if isinstance(shown, str):
        shown = [
            record
            for times, value in _RUN.findall(shown)
            for record in [ast.literal_eval(value)] * int(times.replace(",", ""))
        ]
    if isinstance(shown, dict):
        return {**shown, "data": _as_given(shown["data"], like)}
    if isinstance(like, pd.DataFrame):
        return pd.DataFrame(shown, columns=like.columns)
    if isinstance(like, np.ndarray):
        return np.array(shown, like.dtype)
    return shown

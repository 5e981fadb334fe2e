"""Fresh outputs of a catalogue entry on any dataset."""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.blackbox.callables import transcripts_of
from audit.declaration import Entry
from audit.diagnosis.evidence import Draw, Outputs
from audit.engine.plan import as_dataset


def drawing(entry: Entry, seed: int) -> Draw:
    """A function that runs the entry's mechanism with randomness of its own."""
    rng = np.random.default_rng([seed, 38])
    release = entry.mechanism.release
    if entry.questions is not None:
        release = transcripts_of(release)

    def draw(dataset: Any, runs: int) -> Outputs:
        data = as_dataset(dataset)
        if entry.questions is not None:
            return [release(data, rng) for _ in range(runs)]
        try:
            outputs: Outputs = release(data, rng, runs)
        except Exception as error:
            return [error] * runs
        return outputs

    return draw

"""Whole audits of broken mechanisms: their bounds beside the truth, their causes beside labels.

python -m tests.diagnosis.study --workers 2
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import joblib

import audit
from audit.verdict.findings import Cause
from audit.verdict.result import Verdict
from mechanisms import CATALOG
from tests.diagnosis.labels import CAUSES
from tests.diagnosis.sums import SOLD

PAGE = Path("reports/studies/diagnosis.md")
SEEDS, SOLD_SEEDS = 3, 10
FOR_CAUSES: dict[str, Any] = {"until": "violation", "max_samples": 40_000}
"""Budget of the catalogue, of which only causes are read."""
FINISHED = Path("build/diagnosis")
"""Finished audits by name and seed; delete the folder to audit again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """One audit, calls assumed independent; with the default budget if its bound is compared.

    Attributes:
        name: of the mechanism.
        seed: of the audit.
        refuted: whether it ended in a violation.
        bound: lower bound of ε that the audit states.
        truth: the smallest ε that holds; infinite if none does, None if it is not known.
        runs: of the whole audit.
        cause: of the diagnosis; None without one.
        sentence: of the diagnosis.
        advice: of the diagnosis.
    """

    name: str
    seed: int
    refuted: bool
    bound: float
    truth: float | None
    runs: int
    cause: str | None
    sentence: str
    advice: str

    @property
    def right(self) -> bool:
        """True if the cause is among the labels."""
        return self.cause in CAUSES[self.name]

    @property
    def wrong(self) -> bool:
        """True if another cause than the labels is named."""
        return self.cause not in (None, Cause.UNKNOWN, *CAUSES[self.name])


def audited(name: str, seed: int, folder: Path) -> Audited:
    """The audit of a catalogue entry or of one of `SOLD`; from the folder if it is there."""
    path = folder / f"{name}.{seed}.json"
    if path.exists():
        return Audited(**json.loads(path.read_text("utf-8")))
    given: dict[str, Any] = {"seed": seed, "assume": ("independent-calls",)}
    if name in SOLD:
        sold = SOLD[name]
        truth: float | None = sold.epsilon
        given |= {"epsilon": 1.0, "domain": sold.domain, "relation": sold.relation}
        result = audit.run(sold.release, **given)
    else:
        truth = CATALOG[name].truth.epsilon
        given |= FOR_CAUSES
        result = audit.run(CATALOG[name], **given)
    found = result.diagnosis
    one = Audited(
        name=name,
        seed=seed,
        refuted=result.verdict is Verdict.VIOLATION,
        bound=result.levels["epsilon_lower"],
        truth=truth,
        runs=result.samples,
        cause=None if found is None else str(found.cause),
        sentence="" if found is None else found.sentence,
        advice="" if found is None else found.advice,
    )
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(one)), "utf-8")
    return one


def all_audited(names: Sequence[str], seeds: int, folder: Path, workers: int) -> list[Audited]:
    """Audits of these mechanisms with seeds from 0."""
    asked = (joblib.delayed(audited)(name, seed, folder) for seed in range(seeds) for name in names)
    found: list[Audited] = joblib.Parallel(n_jobs=workers, batch_size=1)(asked)
    return found


def broken() -> list[str]:
    """Names of the catalogue's entries whose flaw an ordinary budget can show."""
    return [name for name in CAUSES if CATALOG[name].truth.reachable]


def main() -> None:
    """Write the page."""
    # It imports this module.
    from tests.diagnosis.page import page

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="audits of each catalogue entry")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--finished", type=Path, default=FINISHED, help="folder of audits")
    parser.add_argument("--output", type=Path, default=PAGE)
    given = parser.parse_args()
    sold = all_audited(list(SOLD), SOLD_SEEDS, given.finished, given.workers)
    found = all_audited(broken(), given.seeds, given.finished, given.workers)
    command = f"python -m tests.diagnosis.study --seeds {given.seeds}"
    given.output.write_text(page(sold, found, command), encoding="utf-8")


if __name__ == "__main__":
    main()

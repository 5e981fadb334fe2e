"""Diagnoses of all broken mechanisms of the catalogue, compared with their labels.

python -m tests.diagnosis.study
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from audit.declaration import Entry
from audit.diagnosis.cause import Cause
from audit.diagnosis.likely_cause import likely_cause
from audit.neighbors.domain import parse_domain
from mechanisms import CATALOG
from tests.diagnosis.audited import refuted
from tests.diagnosis.fresh import drawing
from tests.diagnosis.labels import CAUSES
from tests.diagnosis.outcome import Diagnosed
from tests.diagnosis.page import page

PAGE = Path("reports/studies/diagnosis.md")
SEEDS = 3
KEPT = Path("build/diagnosis")
"""Counterexamples by name and seed; delete the folder to audit again."""


def diagnosed(entry: Entry, seed: int, folder: Path) -> Diagnosed:
    """The diagnosis of one audit."""
    found = refuted(entry, seed, folder)
    if found is None:
        return Diagnosed(entry.name, seed, None)
    diagnosis = likely_cause(
        drawing(entry, seed),
        found.dataset,
        found.neighbor,
        claim=entry.mechanism.claim,
        relation=entry.relation,
        observed=found.observed,
        records=records_of_domain(entry),
    )
    return Diagnosed(entry.name, seed, Cause(diagnosis.cause), diagnosis.sentence, diagnosis.advice)


def records_of_domain(entry: Entry) -> tuple[Any, ...]:
    """Records of the entry's domain worth trying."""
    return () if entry.domain is None else tuple(parse_domain(entry.domain).extremes)


def all_diagnosed(seeds: Sequence[int], folder: Path) -> Iterator[Diagnosed]:
    """Diagnoses of all entries that an ordinary budget can refute."""
    for seed in seeds:
        for name in CAUSES:
            if CATALOG[name].truth.reachable:
                yield diagnosed(CATALOG[name], seed, folder)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="audits of each mechanism")
    parser.add_argument("--kept", type=Path, default=KEPT, help="folder of counterexamples")
    parser.add_argument("--output", type=Path, default=PAGE)
    given = parser.parse_args()
    found = [*all_diagnosed(range(given.seeds), given.kept)]
    command = f"python -m tests.diagnosis.study --seeds {given.seeds}"
    given.output.write_text(page(found, command), encoding="utf-8")


if __name__ == "__main__":
    main()

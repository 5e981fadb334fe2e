"""Many audits of correct mechanisms: false alarms and coverage, with exact intervals.

python -m tests.calibration.study --audits 2600 --workers 2
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from joblib import Parallel, delayed

from audit.case import Settings, Until
from audit.claim import claim_from
from audit.engine import audit_case
from audit.preparation import case_for
from audit.relation import Relation
from audit.verdict.intervals import proportion
from tests.calibration.families import FAMILIES, Family

LEVELS = (0.05, 0.001)


@dataclass(frozen=True)
class Outcome:
    """One audit: its family, the largest log-wealth, and its lower bound on epsilon at 0.05."""

    family: str
    log_evalue: float
    bound: float


def audited(
    family: Family, seed: int, workers: int = 1, executor: Executor | None = None
) -> Outcome:
    """One audit that plays on after an alarm, so that every level can be read off."""
    case = case_for(
        family.release,
        claim=claim_from(**family.claim),
        relation=Relation.DECLARED,
        data=[1.0],
        neighbors=[[0.0]],
    )
    settings = Settings(
        alpha=max(LEVELS),
        max_samples=family.samples,
        seed=seed,
        until=Until.BUDGET,
        tables=False,
        workers=workers,
        executor=executor,
    )
    result = audit_case(case, settings)
    return Outcome(family.name, result.log_evalue, result.epsilon_lower)


def study(audits: int, workers: int, first_seed: int = 0) -> list[Outcome]:
    """About this many audits, the same number of each family, in a fixed order."""
    found = Parallel(n_jobs=workers)(delayed(audited)(f, s) for f, s in jobs(audits, first_seed))
    return list(found)


def jobs(audits: int, first_seed: int = 0) -> list[tuple[Family, int]]:
    """About this many audits: families and seeds."""
    each = math.ceil(audits / len(FAMILIES))
    return [(f, first_seed + s) for f in FAMILIES for s in range(each)]


def alarms(outcomes: list[Outcome], alpha: float) -> int:
    """How many audits would have flagged a correct mechanism at this level."""
    return sum(outcome.log_evalue >= -math.log(alpha) for outcome in outcomes)


def missed(outcomes: list[Outcome]) -> tuple[int, int]:
    """Lower bounds above the truth, and how many had a truth to cover."""
    truth = {f.name: f.epsilon for f in FAMILIES}
    known = [(o.bound, truth[o.family]) for o in outcomes if truth[o.family] is not None]
    return sum(bound > epsilon for bound, epsilon in known if epsilon is not None), len(known)


def report(outcomes: list[Outcome], command: str) -> str:
    """The page reports/studies/calibration.md."""
    lines = [
        "# Calibration",
        "",
        "Audits of mechanisms that keep their claim, most of them tightly: every alarm here is",
        "a false one. The intervals are exact (Clopper-Pearson) at 95%.",
        "",
        f"Reproduce: `{command}`",
        "",
        "| level α | audits | false alarms | rate | 95% interval |",
        "|---|---|---|---|---|",
    ]
    for alpha in LEVELS:
        lines.append(f"| {alpha:g} | {_row(alarms(outcomes, alpha), len(outcomes))} |")
    above, known = missed(outcomes)
    lines += [
        "",
        "Lower bounds on ε at level 0.05 that lie above the true ε:",
        "",
        "| level α | audits with known ε | bounds too high | rate | 95% interval |",
        "|---|---|---|---|---|",
        f"| 0.05 | {_row(above, known)} |",
        "",
        "By kind of output and claim:",
        "",
        "| mechanism | output | claim | audits | alarms at 0.05 | alarms at 0.001 |",
        "|---|---|---|---|---|---|",
    ]
    for family in FAMILIES:
        mine = [o for o in outcomes if o.family == family.name]
        claim = ", ".join(f"{k} {v}" for k, v in family.claim.items())
        counts = " | ".join(str(alarms(mine, alpha)) for alpha in LEVELS)
        lines.append(f"| {family.name} | {family.kind} | {claim} | {len(mine)} | {counts} |")
    return "\n".join(lines) + "\n"


def _row(count: int, total: int) -> str:
    held = proportion(count, total, 0.05)
    return f"{total} | {count} | {held.estimate:.4f} | {held.low:.4f} to {held.high:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=2600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--report", type=Path, default=Path("reports/studies"))
    options = parser.parse_args()
    outcomes = study(options.audits, options.workers)
    command = f"python -m tests.calibration.study --audits {options.audits}"
    options.report.mkdir(parents=True, exist_ok=True)
    (options.report / "calibration.md").write_text(report(outcomes, command), encoding="utf-8")


if __name__ == "__main__":
    main()

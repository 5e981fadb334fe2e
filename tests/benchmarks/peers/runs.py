"""Audits of this tool as the peers' are measured, and peers run in processes of their own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from audit.case import Budget, Case, Settings, Until
from audit.engine.steps import audit_case
from audit.sampling.draws import INDEPENDENT_CALLS
from audit.verdict.intervals import proportion
from audit.verdict.result import Verdict
from tests.benchmarks.play import Apart


@dataclass(frozen=True, slots=True)
class Audited:
    """One audit of this tool.

    Attributes:
        refuted: True if the claim was refuted.
        bet: runs until then, or all if it was not.
        runs: of the whole audit, counterexample and tables included.
        bound: lower bound on the claim's parameter.
        seconds: processor time.
    """

    refuted: bool
    bet: int
    runs: int
    bound: float
    seconds: float


def audited(
    case: Case,
    *,
    alpha: float,
    samples: int,
    seed: int,
    coupled: bool = True,
    until: Until = Until.VIOLATION,
) -> Audited:
    """Audit a case on its given pairs, with calls that are assumed to be independent."""
    case = case if coupled else replace(case, box=Apart(case.box, case.box.name, case.box.many))
    budget, assume = Budget(max_samples=samples, until=until), (INDEPENDENT_CALLS,)
    start = time.process_time()
    result = audit_case(case, Settings(alpha=alpha, seed=seed, assume=assume, budget=budget))
    seconds = time.process_time() - start
    refuted, bound = result.verdict is Verdict.VIOLATION, result.levels[case.claim.bound]
    return Audited(refuted, result.effort["bets"], result.samples, bound, seconds)


def printed(
    command: Sequence[str | Path],
    given: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> list[str]:
    """Lines that a command prints, its standard input given line by line.

    Raises:
        subprocess.CalledProcessError: it failed; its errors go to this process's.
    """
    text = "".join(f"{line}\n" for line in given)
    done = subprocess.run(
        [*map(str, command)],
        input=text,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout.splitlines()


def rate(wrong: int, audits: int) -> str:
    """Share of audits that err, with its 95% Clopper-Pearson interval."""
    share = proportion(wrong, audits, 0.05)
    return f"{wrong} of {audits} ({share.low:.3f} to {share.high:.3f})"


def exceeds(wrong: int, audits: int, alpha: float) -> bool:
    """True if the interval of the rate at which audits err lies above their level."""
    return proportion(wrong, audits, 0.05).low > alpha

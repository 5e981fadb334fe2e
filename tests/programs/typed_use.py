"""A program of a user, which mypy checks against the installed package; it is never run."""

from __future__ import annotations

from pathlib import Path

from numpy.random import Generator

import audit
from audit.testing import assert_private


@audit.mechanism(epsilon=1.0, domain="int:0:9")
def count(data: list[int], rng: Generator) -> float:
    return len(data) + float(rng.laplace())


def check_count() -> None:
    assert_private(count, epsilon=1.0, data=[1, 0])


claim: audit.claims.Claim = audit.claims.PureDP(1.0)
domain: audit.domains.Domain = audit.domains.parse_domain("int:0:9")
result: audit.AuditResult = audit.run(count, claim=claim, domain=domain, max_samples=2000)
bound: float = result.epsilon_lower
refuted: bool = result.verdict is audit.Verdict.VIOLATION
witness: audit.Witness | None = result.witness
noise: float = count([1, 0], Generator.__new__(Generator))
page: str = audit.render(result, "text")
recorded: audit.AuditResult = audit.samples(["D.txt", "D1.txt"], claim)
trained: audit.CanaryResult = audit.canaries([0.1, 0.9], [0, 1], epsilon=1.0)
stored: audit.AuditResult | audit.CanaryResult = audit.read_result(Path("result.json"))
files: list[Path] = audit.write_report(stored, Path("report"))

"""LDP-Auditor (Arcolezi, Gambs, PETS 2024), on the clients of multi-freq-ldpy that it audits.

The peer is the clone FOLDER/ldp-audit with an environment of its own, FOLDER/ldp-audit/.venv, that
has multi-freq-ldpy, pure-ldp, numba, psutil, scikit-learn, statsmodels and xxhash before 3.6, and
what this project depends on: both audit the same functions there. Instead of ray, which sends
its loops to other processes, they run in the one that is measured.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Literal

from tests.benchmarks.peers.runs import exceeds, printed, rate

NAME = "ldp-audit"
TITLE = "LDP-Auditor (the protocols it audits, ε = 1, α = .01)"
ALPHA, EPSILON = 0.01, 1.0
CHOICES, TRIALS, SEEDS = 8, 20_000, 5
"""Values, runs on each of two of them, and audits of each protocol."""
_FEWER = 10_000
NULLS, OWN_NULLS = 1_000, 50
"""Audits of randomized response of one bit, whose best guess is the output, with fewer runs."""
_ROOT = Path(__file__).parents[3]
_THRESHOLD = 0.618553
"""Of THE at epsilon 1, between 1/2 and 1: that of its smallest variance."""
_DRIVER = """\
import json
import sys
import time
import types
import warnings


class InProcess:
    def __init__(self, function):
        self.remote = function


sys.modules["ray"] = types.SimpleNamespace(
    remote=InProcess, get=lambda found: found, init=lambda **_: None, shutdown=lambda: None
)
warnings.simplefilter("ignore")
import numpy as np
from ldp_audit import base_auditor as peer
from ldp_audit.utils import find_tresh
from scipy.optimize import minimize_scalar
from xxhash import xxh32

import audit


def threshold(epsilon):
    found = minimize_scalar(find_tresh, bounds=[0.5, 1], method="bounded", args=(epsilon,))
    return found.x


def hashed(optimal):
    def of(k, epsilon):
        hashes = round(np.exp(epsilon)) + 1 if optimal else 2

        def client(value):
            report, seed = peer.LH_Client(value, k, epsilon, optimal)
            digests = (xxh32(str(v), seed=int(seed)).intdigest() for v in (0, k - 1))
            return [digest % hashes == report for digest in digests]

        return client

    return of


def above(k, epsilon):
    least = threshold(epsilon)
    return lambda value: peer.HE_Client(value, k, epsilon) > least


CLIENTS = {
    "GRR": lambda k, epsilon: lambda value: peer.GRR_Client(value, k, epsilon),
    "SUE": lambda k, epsilon: lambda value: peer.UE_Client(value, k, epsilon, False),
    "OUE": lambda k, epsilon: lambda value: peer.UE_Client(value, k, epsilon, True),
    "SS": lambda k, epsilon: lambda value: peer.SS_Client(value, k, epsilon),
    "THE": above,
    "SHE": lambda k, epsilon: lambda value: peer.HE_Client(value, k, epsilon),
    "BLH": hashed(False),
    "OLH": hashed(True),
}


def theirs(protocol, epsilon, k, trials, alpha, seed):
    auditor = peer.LDPAuditor(trials, alpha, epsilon, 0.0, k, seed, n_jobs=1)
    return auditor.run_audit(protocol)


def ours(protocol, epsilon, k, trials, alpha, seed):
    client = CLIENTS[protocol](k, epsilon)
    found = audit.run(
        lambda data: client(int(data[0])), epsilon=epsilon, data=[0], neighbors=[[k - 1]],
        relation="substitute", alpha=alpha, seed=seed, max_samples=2 * trials, until="budget",
        assume=("independent-calls",),
    )
    return found.epsilon_lower


def calls(protocol, epsilon, k, trials, alpha, seed):
    client = CLIENTS[protocol](k, epsilon)
    for value in (0, k - 1):
        for _ in range(trials):
            client(value)
    return np.nan


for line in sys.stdin:
    cell = json.loads(line)
    run = {"peer": theirs, "own": ours, "calls": calls}[cell.pop("who")]
    if cell.pop("first"):  # compiles the client and the attack
        run(**{**cell, "trials": 1_000})
    begun = time.process_time()
    print(run(**cell), time.process_time() - begun, flush=True)
"""


Who = Literal["peer", "own", "calls"]


@dataclass(frozen=True, slots=True)
class Job:
    """One audit of a protocol.

    Attributes:
        who: the peer, this tool, or the calls of the client alone.
        protocol: its name in the peer.
        epsilon: of the protocol.
        k: number of values, of which the first and the last are compared.
        trials: runs on each.
        alpha: one minus the confidence level.
        seed: of the audit.
        first: True if its functions have to be compiled before.
    """

    who: Who
    protocol: str
    epsilon: float
    k: int
    trials: int
    alpha: float
    seed: int
    first: bool

    def line(self) -> str:
        """What the driver reads."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class Ended:
    """One audit: its lower bound on epsilon and processor seconds."""

    bound: float
    seconds: float


def threshold_epsilon(epsilon: float, threshold: float) -> float:
    """The exact epsilon of histogram encoding of which bits above a threshold are released.

    One bit is above it with chance p, the others with q (Wang et al. 2017, Section 4.2); two
    values differ in two bits.
    """
    p = 1.0 - 0.5 * math.exp(epsilon * (threshold - 1.0) / 2.0)
    q = 0.5 * math.exp(-epsilon * threshold / 2.0)
    return math.log(p * (1.0 - q) / ((1.0 - p) * q))


TRUTHS = {
    "GRR": EPSILON,
    "SUE": EPSILON,
    "OUE": EPSILON,
    "BLH": EPSILON,
    "OLH": EPSILON,
    "THE": threshold_epsilon(EPSILON, _THRESHOLD),
    "SHE": EPSILON,
    "SS": math.inf,
}
"""The exact epsilon of each. SS of multi-freq-ldpy has the true value first if it is among others,
so that a subset with it in another place cannot come from it."""


def answers(lines: Sequence[str]) -> list[Ended]:
    """The driver's lines, read."""
    return [Ended(*map(float, line.split())) for line in lines]


def ended(folder: Path, jobs: Sequence[Job]) -> list[Ended]:
    """Audits by the peer or this tool, all in one process."""
    place = folder / NAME
    paths = os.pathsep.join(map(str, (place, _ROOT)))
    command: list[str | Path] = [place / ".venv/bin/python", "-c", _DRIVER]
    lines = [job.line() for job in jobs]
    return answers(printed(command, lines, {**os.environ, "PYTHONPATH": paths}))


def _jobs(who: Who, protocol: str, k: int, trials: int, many: int) -> list[Job]:
    return [
        Job(who, protocol, EPSILON, k, trials, ALPHA, seed, first=seed == 0) for seed in range(many)
    ]


def level(folder: Path) -> Iterator[str]:
    """Bounds above the truth, by the peer and here, where the peer's attack is the best."""
    theirs = ended(folder, _jobs("peer", "GRR", 2, _FEWER, NULLS))
    here = ended(folder, _jobs("own", "GRR", 2, _FEWER, OWN_NULLS))
    above = [sum(one.bound > EPSILON for one in found) for found in (theirs, here)]
    kept = "fails here" if exceeds(above[0], NULLS, ALPHA) else "holds here"
    yield (
        f"Randomized response of one bit, {_FEWER:,} runs on each side: LDP-Auditor's bound is "
        f"above the truth in {rate(above[0], NULLS)} audits (95% interval), the bound here in "
        f"{rate(above[1], OWN_NULLS)}. LDP-Auditor's level {kept}."
    )


def bounds(folder: Path) -> Iterator[str]:
    """Lower bounds on epsilon after equal runs."""
    yield (
        "| protocol | true ε | LDP-Auditor: median bound | largest | seconds "
        "| here: median bound | largest | seconds | its calls alone |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for protocol, truth in TRUTHS.items():
        cells = []
        for who in ("peer", "own"):
            found = ended(folder, _jobs(who, protocol, CHOICES, TRIALS, SEEDS))
            bound = [one.bound for one in found]
            seconds = median(one.seconds for one in found)
            cells.append(f"{median(bound):.3f} | {max(bound):.3f} | {seconds:.2f}")
        (alone,) = ended(folder, _jobs("calls", protocol, CHOICES, TRIALS, 1))
        name = "∞" if math.isinf(truth) else f"{truth:.3f}"
        yield f"| {protocol} | {name} | {' | '.join(cells)} | {alone.seconds:.2f} |"
    yield ""
    yield (
        f"{CHOICES} values, {TRIALS:,} runs on the first and on the last, {SEEDS} audits each. "
        "LDP-Auditor guesses the value from the output and compares how often the guess is the "
        "first: its bound is on the loss that one attack shows. Here events are chosen from the "
        "outputs, at every look anew, which is what takes the time: *its calls alone* are as many "
        "calls of the client from Python."
    )
    yield ""
    yield (
        "SS of multi-freq-ldpy gives the true value first if it is in the subset, so a subset with "
        "it in another place cannot come from it: the bound here is above the promised ε, and "
        "rightly so. THE is audited after its threshold, SHE before. Of local hashing both see "
        "which values a report supports."
    )

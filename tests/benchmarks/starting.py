"""Processor time of an audit that is over at once: what starting one costs."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

TITLE = "How long it takes to start"
_AUDIT = (str(Path(sys.executable).with_name("audit")),)
COMMANDS = {
    "`audit --help`": (*_AUDIT, "--help"),
    "`audit noisy-average --max-samples 200`": (*_AUDIT, "noisy-average", "--max-samples", "200"),
    "`python -c 'import numpy'`": (sys.executable, "-c", "import numpy"),
}
_ROUNDS = 11


def seconds(command: tuple[str, ...]) -> float:
    """Processor time of a command and its children, where compiled modules may be kept."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def markdown(rounds: int = _ROUNDS) -> list[str]:
    """Medians, after one round that leaves the modules compiled."""
    lines = [
        "Seconds of processor time, all processes together; modules are compiled already, as they",
        "are from a command's second time on.",
        "",
        "| command | median | least |",
        "|---|--:|--:|",
    ]
    for shown, command in COMMANDS.items():
        _, *taken = (seconds(command) for _ in range(rounds + 1))
        lines.append(f"| {shown} | {statistics.median(taken):.2f} | {min(taken):.2f} |")
    return lines


if __name__ == "__main__":
    print("\n".join(markdown()))

"""Many audits of right mechanisms: false alarms, bounds above the truth, with exact intervals.

python -m tests.calibration.study
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.calibration.boxes import BOXES
from tests.calibration.dependent.every import DEPENDENT
from tests.calibration.independent import INDEPENDENT
from tests.calibration.kind import Kind
from tests.calibration.outcome import ONE, TWO, WAYS, Outcome, audited
from tests.calibration.page import page

USUAL, RARE = 0.05, 0.001
"""Levels: false alarms of the first would be seen soon; the second is the default of `audit`."""
PAGE = Path("reports/studies/calibration.md")


def jobs(
    kinds: Iterable[Kind], rounds: int, first: int = 0, levels: Sequence[float] = (USUAL, RARE)
) -> Iterator[tuple[Kind, int, float]]:
    """Kinds, numbers and levels, round by round: a study that is cut short has seen all kinds."""
    listed = list(kinds)
    for number in range(first, first + rounds):
        for kind in listed:
            if number - first < math.ceil(kind.rounds * rounds):
                for level in levels:
                    yield kind, number, level


def independent(rounds: int, level: float = USUAL) -> Iterator[Outcome]:
    """Kinds whose calls are independent, which is declared."""
    for kind, number, _ in jobs(INDEPENDENT, rounds, levels=(level,)):
        yield audited(kind, number, level)


def in_turns(kinds: Iterable[Kind], rounds: int, ways: Sequence[str]) -> Iterator[Outcome]:
    """By fresh instances, programs, queries, services and sessions, in these ways in turns."""
    for kind, number, level in jobs(kinds, rounds, levels=(USUAL,)):
        yield audited(kind, number, level, ways[number % len(ways)])


def kept(found: Iterable[Outcome], until: float, path: Path | None) -> Iterator[Outcome]:
    """What was found before that time, each line also in a file."""
    for outcome in found:
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")
        yield outcome
        if time.monotonic() > until:
            return


def planned(options: argparse.Namespace) -> int:
    """Audits that the rounds come to."""
    parts = (
        (DEPENDENT, options.dependent),
        (BOXES, options.boxes),
        (INDEPENDENT, options.independent),
        (INDEPENDENT, options.rare),
    )
    return sum(len(list(jobs(kinds, rounds, levels=(USUAL,)))) for kinds, rounds in parts)


def read(paths: Iterable[Path]) -> list[Outcome]:
    """Outcomes that were written as lines of JSON."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    found = [json.loads(line) for line in lines]
    return [Outcome(**{**outcome, "above": tuple(outcome["above"])}) for outcome in found]


def made(options: argparse.Namespace) -> list[Outcome]:
    """All audits, each part for as long as it may take."""
    outcomes: list[Outcome] = []
    for part in (
        in_turns(DEPENDENT, options.dependent, WAYS),
        in_turns(BOXES, options.boxes, (ONE, TWO)),
        independent(options.independent),
        independent(options.rare, RARE),
    ):
        until = time.monotonic() + options.seconds
        outcomes += kept(part, until, options.lines)
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--independent", type=int, default=8, help="rounds of independent kinds")
    parser.add_argument("--rare", type=int, default=28, help="rounds of the same at level .001")
    parser.add_argument("--dependent", type=int, default=20, help="rounds of dependent kinds")
    parser.add_argument("--boxes", type=int, default=20, help="rounds of programs and the like")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of each of the four")
    parser.add_argument("--lines", type=Path, help="every outcome as a line of JSON, too")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--read", type=Path, nargs="+", help="only write the page of such lines")
    options = parser.parse_args()
    outcomes = read(options.read) if options.read else made(options)
    command = (
        f"python -m tests.calibration.study --independent {options.independent} "
        f"--rare {options.rare} --dependent {options.dependent} --boxes {options.boxes}"
    )
    options.page.parent.mkdir(parents=True, exist_ok=True)
    options.page.write_text(page(outcomes, command, planned(options)), encoding="utf-8")


if __name__ == "__main__":
    main()

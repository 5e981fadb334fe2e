"""Peers and this tool on the same machine, as a section of reports/studies/performance.md.

python -m tests.benchmarks.peers --peers FOLDER [--peer NAME ...]

FOLDER holds clones of the peers under their own names: martindunsche/sequential_fdp_auditing,
cmla-psu/statdp and hharcolezi/ldp-audit on GitHub. Each module of this package says what its peer
needs beside its clone. The part of a peer that is not there, or not named, stays as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from tests.benchmarks.peers.section import HEAD, MARK, PARTS, TITLE
from tests.benchmarks.study import renewed, version


def with_part(page: str, title: str, lines: Iterable[str]) -> str:
    """A page on which one part is made again, or is new at the end of its section."""
    _, _, behind = page.partition(f"\n## {TITLE}\n")
    section = behind.partition("\n## ")[0].strip("\n") or "\n".join(HEAD)
    section = renewed(section, title, [*lines], MARK)
    return renewed(page, TITLE, section.strip("\n").splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, required=True, help="folder of the peers' clones")
    parser.add_argument("--peer", action="append", choices=tuple(PARTS), help="all if none")
    parser.add_argument("--report", type=Path, default=Path("reports/studies"))
    options = parser.parse_args()
    place = options.report / "performance.md"
    for name in options.peer or PARTS:
        part = PARTS[name]
        if not (options.peers / part.folder).is_dir():
            print(f"{options.peers} has no {part.folder}")
            continue
        command = f"`python -m tests.benchmarks.peers --peers FOLDER --peer {name}`"
        lines = [f"Of version {version()}: {command}.", *part.lines(options.peers)]
        page = place.read_text(encoding="utf-8")
        place.write_text(with_part(page, part.title, lines), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Audits of canaries against known truth, as reports/studies/canaries.md.

python -m tests.canaries.study --peer .../jax_privacy/auditing.py
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.canaries.bounds import all_bounds, loaded
from tests.canaries.figure import bounds_figure
from tests.canaries.levels import all_counted
from tests.canaries.page import FIGURE, Study, page
from tests.canaries.speed import all_timed
from tests.canaries.trainings import compared

PAGE = Path("reports/studies/canaries.md")


def made(options: argparse.Namespace) -> Study:
    """All audits."""
    command = (
        f"python -m tests.canaries.study --rounds {options.rounds} --seeds {options.seeds} "
        f"--slow {options.slow}"
    )
    peer = None if options.peer is None else loaded(options.peer)
    return Study(
        levels=list(all_counted(options.rounds)),
        bounds=list(all_bounds(options.seeds, peer, options.slow)),
        times=list(all_timed(options.canaries)),
        trainings=list(compared()),
        command=command if peer is None else f"{command} --peer .../jax_privacy/auditing.py",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=400, help="draws of each right family")
    parser.add_argument("--seeds", type=int, default=60, help="draws of each known mechanism")
    parser.add_argument("--slow", type=int, default=20, help="of them for the peer's slow bound")
    parser.add_argument("--canaries", type=int, default=100_000, help="of audits that are timed")
    parser.add_argument("--peer", type=Path, help="jax_privacy's module of auditing, a file")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    study = made(options)
    options.page.parent.mkdir(parents=True, exist_ok=True)
    options.page.write_text(page(study), encoding="utf-8")
    options.page.with_name(FIGURE).write_bytes(bounds_figure(study.bounds).file)


if __name__ == "__main__":
    main()

"""Canaries, scores and runs that stand there twice, so that one coin would count as two."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from audit.canary.scores import Scores
from audit.errors import InputError

_FEWEST = 20
"""Smaller runs and fewer distinct scores may repeat by chance."""


def check_copies(scores: Scores, warn: Callable[[str], None]) -> None:
    """Refuse what was copied, and tell what may have been.

    Args:
        scores: as they were read.
        warn: told that some scores stand there more than once.

    Raises:
        InputError: a canary, all scores or a whole run stand there twice.
    """
    _check_canaries(scores)
    _check_scores(scores, warn)
    _check_runs(scores)


def _check_canaries(scores: Scores) -> None:
    if scores.canaries is None:
        return
    keys = scores.runs * (int(scores.canaries.max()) + 1) + scores.canaries
    if len(np.unique(keys)) < len(keys):
        raise InputError(
            "a canary stands in two rows of one run; keep one of them, or name the column of runs "
            "with --run NAME",
            "canary",
        )


def _check_scores(scores: Scores, warn: Callable[[str], None]) -> None:
    """Rows that were copied would count the same coin twice."""
    if scores.guessed:
        return
    for rows in scores.rows_by_run():
        values = np.column_stack([scores.values[rows], scores.members[rows]])
        found, counts = np.unique(values[~np.isnan(values[:, 0])], axis=0, return_counts=True)
        if len(found) >= _FEWEST and counts.min() == counts.max() >= 2:
            raise InputError(
                f"each of the {len(found):,} scores stands there {int(counts[0])} times with the "
                "same member; give each canary once, or name the column of runs with --run NAME",
                len(found),
            )
        again = found[counts > 1, 0]
        distinct, kinds = np.unique(found[:, 0], return_counts=True)
        if len(again) >= _FEWEST and (kinds[np.isin(distinct, again)] == 1).all():
            warn(
                f"{len(again):,} scores stand there more than once, each always with the same "
                "member: if canaries were copied, their coins count twice; give each canary once"
            )


def _check_runs(scores: Scores) -> None:
    """Runs count apart only with fresh coins and fresh noise."""
    seen: dict[tuple[str, bytes], str] = {}
    for rows, name in zip(scores.rows_by_run(), scores.run_names, strict=True):
        columns = {"members": scores.members[rows].tobytes()}
        if not scores.guessed:
            columns["scores"] = scores.values[rows].tobytes()
        for what, content in columns.items() if len(rows) >= _FEWEST else ():
            other = seen.setdefault((what, content), name)
            if other != name:
                raise InputError(
                    f"run {name} has the same {what} as run {other}; runs count only with fresh "
                    "coins and fresh noise",
                    name,
                )

"""Results of either kind, of black boxes and of canaries, back from their files."""

from __future__ import annotations

from pathlib import Path

from audit.canary.restore import is_canaries, restore_canaries
from audit.canary.result import CanaryResult
from audit.errors import visible
from audit.report.restore import read_document, restore
from audit.verdict.result import AuditResult


def read_result(path: str | Path) -> AuditResult | CanaryResult:
    """The result stored in a file.

    Args:
        path: as `--format json`, `render` or `write_report` wrote it.

    Returns:
        The result, equal to the one that was stored; a `CanaryResult` where
        canaries were audited.

    Raises:
        InputError: the file cannot be read, or is not a result.
    """
    document, source = read_document(Path(path)), visible(str(path))
    if is_canaries(document):
        return restore_canaries(document, source)
    return restore(document, source)

"""Output for GitHub Actions: a summary of the job, and annotations.

Annotations are workflow commands, which the runner reads on standard error as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from audit.canary.result import AnyResult
from audit.errors import visible
from audit.report.causes import channel
from audit.report.comparison import bound_of, kinds_of_leaks
from audit.report.formatting import block, inline
from audit.report.markdown import grid
from audit.report.sentences import side_channel
from audit.verdict import renderers
from audit.verdict.result import Verdict

_LEVELS = {Verdict.VIOLATION: "error", Verdict.INCONCLUSIVE: "warning"}
_LONGEST = 1000


def show(results: Sequence[AnyResult], tell: Callable[[str], None]) -> None:
    """Tell the runner what was found, by lines that it reads; nothing where there is none."""
    for line in annotated(results) if os.environ.get("GITHUB_ACTIONS") == "true" else ():
        tell(line)
    summarize(summary(results), tell)


def summarize(markdown: str, tell: Callable[[str], None]) -> None:
    """Add Markdown to the summary of the job; nothing where there is none."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{markdown}\n")
    except OSError as error:
        tell(f"the summary of this job cannot be written: {error.strerror}")


def summary(results: Sequence[AnyResult]) -> str:
    """A table of audits, then every violation in a sentence, with what repeats it."""
    rows = []
    for result in results:
        leaks = "".join(f", {kind} leak" for kind in kinds_of_leaks(result))
        verdict = f"{result.verdict}{leaks}"
        rows.append((result.mechanism, str(result.claim), verdict, bound_of(result)))
    blocks = [grid(("target", "claim", "verdict", "lower bound"), rows)]
    for result in results:
        if result.verdict is Verdict.VIOLATION:
            blocks += [inline(_headline(result)), block(result.command, "sh")]
    return "\n\n".join(blocks) + "\n"


def annotated(results: Iterable[AnyResult]) -> Iterator[str]:
    """A workflow command for each violation, leak, and audit without an answer."""
    for result in results:
        if level := _LEVELS.get(result.verdict):
            yield _annotation(level, result, f"{result.verdict}", _headline(result))
        for leak in getattr(result, "leaks", ()):
            said = side_channel(leak, result.claim, result.verdict)
            text = f"{channel(leak.kind).name}: {said}"
            yield _annotation("notice", result, f"{leak.kind} leak", text)


def _headline(result: Any) -> str:
    return " ".join(renderers.render(result, "text", detail="quiet").split())


def _annotation(level: str, result: AnyResult, what: str, text: str) -> str:
    title = f"{what.replace('-', ' ')}: {result.mechanism}"
    values = {**_place(getattr(result, "place", "")), "title": visible(title)[:_LONGEST]}
    named = ",".join(
        f"{name}={_data(value).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in values.items()
    )
    return f"::{level} {named}::{_data(visible(text)[:_LONGEST])}"


def _place(place: str) -> dict[str, str]:
    """File and line, the file as seen from the root of the repository."""
    file, _, line = place.rpartition(":")
    if not file or not line.isdigit():
        return {}
    root = os.environ.get("GITHUB_WORKSPACE", os.getcwd())
    return {"file": os.path.relpath(file, root), "line": line}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

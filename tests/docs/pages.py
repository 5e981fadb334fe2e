"""A page of the documentation, and what happens when a reader follows it.

In order: a block with a title is written to a file of that name; a block of `sh`
is run by bash; a block of `python` without a title is run with the names of the
earlier ones. A block of `text` behind one of those is what it writes to standard
output, or its first paragraphs and a line `…`.

    python -m tests.docs.pages tutorials/first-audit.md

follows a page and writes down what it then shows.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_BLOCK = re.compile(
    r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<source>.*?)^```$",
    flags=re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page.

    Attributes:
        language: as behind the fence.
        title: the file it is, empty where it is none.
        source: its lines.
    """

    language: str
    title: str
    source: str


@dataclass(frozen=True, slots=True)
class Step:
    """Something a reader does, and what is shown of its output; None where nothing is."""

    block: Block
    shown: str | None


def pages() -> list[str]:
    """All pages, as paths below docs/."""
    return sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def text_of(page: str) -> str:
    """What a page says."""
    return (DOCS / page).read_text(encoding="utf-8")


def links_of(page: str) -> list[str]:
    """Where its links and pictures lead, those to other sites left out."""
    found = (link or picture for link, picture in _LINK.findall(_prose(text_of(page))))
    return [target for target in found if "://" not in target]


def _prose(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", text))


def anchors_of(page: str) -> set[str]:
    """The names of its headings, as the site makes them."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", text_of(page)), flags=re.MULTILINE)
    return {_slug(heading) for heading in headings}


def _slug(heading: str) -> str:
    """What is left of a heading in an address: letters of ASCII, digits, hyphens."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks, in order."""
    return [
        Block(found["language"], found["title"] or "", found["source"])
        for found in _BLOCK.finditer(text)
    ]


def steps_of(text: str) -> Iterator[Step]:
    """What a reader of the page does."""
    blocks = blocks_of(text)
    for block, after in pairwise([*blocks, Block("", "", "")]):
        if block.title or block.language in ("sh", "python"):
            shows = not block.title and (after.language, after.title) == ("text", "")
            yield Step(block, after.source if shows else None)


def followed(text: str, folder: Path) -> Iterator[tuple[Step, str]]:
    """Do what a page says in an empty folder; every step with what it wrote.

    Raises:
        RuntimeError: a command ended with exit code 2 or above 3, or was not found.
    """
    names: dict[str, Any] = {"__name__": "page"}
    for step in steps_of(text):
        yield step, _done(step.block, folder, names)


def _done(block: Block, folder: Path, names: dict[str, Any]) -> str:
    if block.title:
        path = folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.source, encoding="utf-8")
        return ""
    return _shell(block.source, folder) if block.language == "sh" else _python(block, folder, names)


def _shell(source: str, folder: Path) -> str:
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", source],
        cwd=folder,
        env={**inherited, "PATH": scripts, "COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{source}ended with {done.returncode}: {done.stderr}")
    return done.stdout


def _python(block: Block, folder: Path, names: dict[str, Any]) -> str:
    written = io.StringIO()
    with _importing_from(folder), chdir(folder), redirect_stdout(written):
        exec(compile(block.source, "page", "exec"), names)
    return written.getvalue()


@contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
    """Modules of a folder can be imported, and are forgotten behind: pages share their names."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(f"{folder}{os.sep}"):
                del sys.modules[name]


def excerpt(written: str, shown: str) -> str:
    """As much of an output as a page shows: all, or as many paragraphs and a line `…`."""
    lines = "".join(f"{line.rstrip()}\n" for line in written.strip("\n").splitlines())
    if not shown.endswith("…\n"):
        return lines
    paragraphs = shown.removesuffix("…\n").strip().count("\n\n") + 1
    return "\n\n".join(lines.split("\n\n")[:paragraphs]).rstrip() + "\n…\n"


def written_again(text: str, folder: Path) -> str:
    """The page with what happens in place of what it shows."""
    for step, written in followed(text, folder):
        if step.shown is not None:
            before, _, after = text.partition(f"{step.block.source}```\n\n```text\n{step.shown}")
            seen = excerpt(written, step.shown)
            text = f"{before}{step.block.source}```\n\n```text\n{seen}{after}"
    return text


def main() -> None:
    """Write the pages that are named again."""
    for page in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            seen = written_again(text_of(page), Path(folder))
        (DOCS / page).write_text(seen, encoding="utf-8")


if __name__ == "__main__":
    main()

"""The audits of a whole test run, gathered in the process that reports."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from audit.errors import AuditError, InputError
from audit.frontends.testing.running import Note

if TYPE_CHECKING:
    from audit.verdict.result import AuditResult

KEY = "dp_audits"
"""Where a test's report carries its notes; text, because it travels between processes."""
_EVIDENCE = "dp-audit/evidence"
_LONGEST_TEST = 48
_COLORS = {"violation": {"red": True}, "inconclusive": {"yellow": True}, "not-refuted": {}}


class Audits:
    """A plugin that collects notes from reports and tells them at the end."""

    def __init__(
        self, folder: Path | None, arguments: Sequence[str], seconds: float | None = None
    ) -> None:
        """Start without any; seconds are those of all audits of a process, None if unlimited."""
        self.arguments = arguments
        self.seconds = seconds
        self.folder = folder
        self.notes: list[Note] = []
        self.reported: dict[str, AuditResult] = {}
        self.problems: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the notes of a test, and write their reports while others still run."""
        for text in report.__dict__.get(KEY, ()):
            try:
                note = Note.from_text(text)
            except InputError as error:  # a claim of a class that this process does not know
                self.problems.append(str(error))
                continue
            self.notes.append(note)
            if self.folder is not None:
                self._write(note, self.folder)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell what was audited; nothing where nothing was."""
        if not self.notes and not self.problems:
            return
        from audit.frontends import github
        from audit.frontends.testing.summary import summary

        terminalreporter.section("privacy audits")
        notes = sorted(self.notes, key=lambda note: note.test)
        for line, verdict in summary(notes, terminalreporter.verbosity > 0):
            terminalreporter.write_line(line, **_COLORS.get(verdict or "", {}))
        if self.seconds is not None:
            terminalreporter.write_line(self._split(terminalreporter.config, self.seconds))
        # Not of those that were refuted as they should be: which that is, only a test knows.
        github.summarize(github.summary([note.result for note in notes]), self.problems.append)
        self._finish(terminalreporter)

    def _split(self, config: pytest.Config, seconds: float) -> str:
        """Line on how the time was split; stores the evidence for the next run."""
        from audit.frontends.testing.budget import evidence_in, told, weights_of

        before, workers = evidence_kept(config), int(config.getoption("numprocesses", 0) or 1)
        tests = {note.test for note in self.notes}
        line = told(seconds, workers, self.notes, weights_of(tests, before))
        cache = getattr(config, "cache", None)  # there is none with -p no:cacheprovider
        if cache is not None:
            cache.set(_EVIDENCE, before | evidence_in(self.notes))
        return line

    def _write(self, note: Note, folder: Path) -> None:
        from audit.report.write import write_report

        result = replace(note.result, mechanism=self._title(note))
        try:
            write_report(result, folder, again=True)
        except AuditError as error:
            self.problems.append(str(error))
        self.reported[result.mechanism] = result

    def _title(self, note: Note) -> str:
        """A name that says which test it was, and that no other report has."""
        name = f"{note.result.mechanism} in {_short(note.test)}"
        names = [name, *(f"{name} ({number})" for number in range(2, len(self.reported) + 2))]
        return next(title for title in names if title not in self.reported)

    def _finish(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.folder is not None:
            from audit.report.index import Listed, write_index
            from audit.report.write import file_name

            titles = sorted(self.reported)
            reports = [Listed(self.reported[t], f"{file_name(t)}.md") for t in titles]
            try:
                write_index(reports, self.folder, shlex.join(["pytest", *self.arguments]))
            except AuditError as error:
                self.problems.append(str(error))
        for problem in dict.fromkeys(self.problems):
            terminalreporter.write_line(problem, red=True)
        if self.folder is not None:
            terminalreporter.write_line(f"reports in {self.folder}")


def evidence_kept(config: pytest.Config) -> dict[str, float]:
    """Evidence of the audits of the last run, by test; empty if none is stored."""
    cache = getattr(config, "cache", None)
    held = None if cache is None else cache.get(_EVIDENCE, None)
    if not isinstance(held, dict):
        return {}
    return {str(test): float(part) for test, part in held.items() if isinstance(part, (int, float))}


def _short(test: str) -> str:
    """The end of a node id, with a mark of the whole where it is cut."""
    name = test.rpartition("/")[2]
    if len(name) <= _LONGEST_TEST:
        return name
    return f"{name[: _LONGEST_TEST - 9]}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"

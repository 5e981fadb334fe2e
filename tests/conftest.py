"""Set-up of all tests: examples of Hypothesis, helpers, parts of the longer run, skips under CI."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings

from audit.blackbox.python import PythonBlackBox
from audit.case import Case, Settings
from audit.engine import steps
from audit.sampling.draws import INDEPENDENT_CALLS, Draws, draws_of

# Helpers are imported as tests.…; at the end, so that the installed package is what is tested.
sys.path.append(str(Path(__file__).parents[1]))

pytest_plugins = ("tests.parts", "tests.skips")

# A shell starts what runs in its background deaf to Ctrl-C, which some tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Where the tests themselves run in a job of GitHub, audits in them are not what it is about.
for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
    os.environ.pop(name, None)

# Machines differ in speed, so no test fails for being slow. In CI the same examples every time.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")

WHOLE_AUDITS = {"tests/whole_audits/test_find_worst.py"}
"""Files of which every test is a whole audit, or many of them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole audits as slow."""
    for item in items:
        if item.nodeid.split("::")[0] in WHOLE_AUDITS:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def calls_as_units(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits of functions take calls as units, but in tests marked `lives`.

    Most tests are not about units, and calls cost a hundredth of fresh instances.
    """
    if "lives" in request.keywords:
        return

    def drawn(case: Case, settings: Settings) -> AbstractContextManager[Draws]:
        if not isinstance(case.box, PythonBlackBox):
            return draws_of(case, settings)
        assume = tuple(dict.fromkeys((*settings.assume, INDEPENDENT_CALLS)))
        return draws_of(case, replace(settings, assume=assume))

    monkeypatch.setattr(steps, "draws_of", drawn)

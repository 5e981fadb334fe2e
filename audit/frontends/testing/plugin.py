"""The pytest plugin: settings, the markers `private` and `audits`, a summary, reports.

Loaded in every test run of an environment that has this package, so it imports
nothing heavy: the auditor is loaded by the first audit.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from audit.errors import InputError
from audit.frontends.testing.assertion import assert_private
from audit.frontends.testing.audits import KEY, Audits, evidence_kept
from audit.frontends.testing.budget import Budget, budget_in, number_for
from audit.frontends.testing.running import condensed, current, properties, running, teller
from audit.source_code import names_in

_AUDITS_MARKER = (
    "audits: the test audits a mechanism; set where a test, or a function of its module that it "
    "calls, uses assert_private, and beside the marker private"
)
_AUDITS = "audits"
_ASSERTION = "assert_private"


def _audits(item: pytest.Item) -> bool:
    """True if a test audits something, by its code."""
    if item.get_closest_marker("private") is not None:
        return True
    function: Any = getattr(item, "obj", None)
    held = getattr(function, "hypothesis", None)
    function = getattr(held, "inner_test", function)
    if callable(function):
        function = inspect.unwrap(function)
    function = getattr(function, "__func__", function)
    return isinstance(function, FunctionType) and _asserts(function, set())


def _asserts(function: FunctionType, seen: set[int]) -> bool:
    """True if a function uses the assertion, or another of its module that does."""
    if id(function) in seen:
        return False
    seen.add(id(function))
    names = set(names_in(function.__code__))
    if _ASSERTION in names:
        return True
    named = (function.__globals__.get(name) for name in names)
    called = (other for other in named if isinstance(other, FunctionType))
    return any(_asserts(o, seen) for o in called if o.__module__ == function.__module__)


MARKER = (
    "private(**arguments): the test returns a mechanism, which is audited; "
    "takes what audit.testing.assert_private takes"
)
_BUDGET = pytest.StashKey[Budget]()
_SHARES = pytest.StashKey[Any]()
_TIME = "audit_seconds"
_FLAGS = {
    "max_samples": "runs of a mechanism at most, in one audit, of an example too",
    "max_seconds": "time at most for one audit; what was found by then decides",
    "alpha": "chance that a test fails although its mechanism keeps its claim",
    "seed": "every number of an audit follows from it",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The flags, each of which overrides [tool.audit] in pyproject.toml."""
    group = parser.getgroup("audit", "privacy audits")
    for name, words in _FLAGS.items():
        flag = f"--audit-{name.replace('_', '-')}"
        group.addoption(flag, type=_argument(name), metavar="NUMBER", help=words)
    group.addoption(
        "--audit-ledger",
        metavar="FILE",
        help="remember every audit there: alpha then holds for all audits of a test, for ever",
    )
    group.addoption(
        "--audit-seconds",
        type=_argument("max_seconds", "seconds"),
        metavar="NUMBER",
        help="time for all audits of a run together, more of it where evidence grew before; "
        "with workers, for each of them",
    )
    group.addoption("--audit-report", metavar="DIR", help="write a report of every audit there")


def _argument(name: str, flag: str = "") -> Any:
    read, flag = number_for(name), flag or name

    def argument(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise pytest.UsageError(f"--audit-{flag.replace('_', '-')}: {error}") from None

    return argument


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings; gather results, except in a worker, which passes them on."""
    config.addinivalue_line("markers", MARKER)
    config.addinivalue_line("markers", _AUDITS_MARKER)
    given = {name: config.getoption(f"audit_{name}") for name in _FLAGS}
    given["max_samples_per_example"] = given["max_samples"]
    ledger = config.getoption("audit_ledger")
    given["ledger"] = None if ledger is None else Path(config.invocation_params.dir, ledger)
    try:
        config.stash[_BUDGET] = budget_in(config.rootpath / "pyproject.toml").but(**given)
    except InputError as error:
        raise pytest.UsageError(str(error)) from None
    if not hasattr(config, "workerinput"):
        audits = Audits(_folder(config), config.invocation_params.args, config.getoption(_TIME))
        config.pluginmanager.register(audits, "dp_audit_audits")


def _folder(config: pytest.Config) -> Path | None:
    """Folder of reports, made now so that an impossible name fails before any work."""
    given = config.getoption("audit_report")
    if given is None:
        return None
    folder = Path(config.invocation_params.dir, given)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise pytest.UsageError(
            f"--audit-report {given!r} cannot be made a folder: {error.strerror}; name another one"
        ) from None
    return folder


def pytest_collection_finish(session: pytest.Session) -> None:
    """Split the time of the run over the tests that audit."""
    config = session.config
    seconds = config.getoption(_TIME)
    if seconds is None:
        return
    from audit.frontends.testing.budget import Shares, weights_of

    tests = [item.nodeid for item in session.items if item.get_closest_marker(_AUDITS)]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    config.stash[_SHARES] = Shares(seconds, workers, weights_of(tests, evidence_kept(config)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Let audits know which test they belong to."""
    config, stash = item.config, item.config.stash
    reports = config.getoption("audit_report") or ""
    with running(item.nodeid, stash[_BUDGET], stash.get(_SHARES, None), teller(config), reports):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse the marker where it would do nothing, which would look like passing."""
    marker = item.get_closest_marker("private")
    reason = None if marker is None else misplaced(item, marker)
    if reason is not None:
        pytest.fail(reason, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Audit what a test marked `private` returns."""
    __tracebackhide__ = True
    marker = pyfuncitem.get_closest_marker("private")
    if marker is None:
        return (yield)
    function = pyfuncitem.obj
    pyfuncitem.obj = asserting(function, marker)
    try:
        return (yield)
    finally:
        pyfuncitem.obj = function


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests that audit, so that they can be run apart: -m audits, -m "not audits"."""
    if _audits(item):
        item.add_marker(_AUDITS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the audits made since the last report along with this one, and as properties."""
    notes = condensed(current().taken())
    item.user_properties += properties(notes)
    report = yield
    short = getattr(call.excinfo and call.excinfo.value, "short", None)
    crash = getattr(report.longrepr, "reprcrash", None)
    if isinstance(short, str) and crash is not None:
        crash.message = short  # the numbers of a failed audit, in the short test summary
    _locate(report, item, call)
    if notes:
        report.__dict__[KEY] = [note.to_text() for note in notes]
    return report


def _locate(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Let the failure of a marked test, no line of which has failed, point at the test."""
    failure: Any = report.longrepr
    crash = getattr(failure, "reprcrash", None)
    if crash is None or call.excinfo is None or item.get_closest_marker("private") is None:
        return
    traceback = failure.reprtraceback
    entry = traceback.reprentries[-1]
    if getattr(entry, "reprfileloc", crash) is not None:
        return
    file, line, _ = item.location
    crash.path, crash.lineno = str(item.path), (line or 0) + 1
    entry.reprfileloc = type(crash)(file, crash.lineno, call.excinfo.typename)
    traceback.extraline = None


def asserting(function: Callable[..., Any], marker: pytest.Mark) -> Callable[..., None]:
    """The test as a function that returns nothing and asserts the claim."""

    @functools.wraps(function)
    def audited_test(**arguments: Any) -> None:
        __tracebackhide__ = True
        mechanism = function(**arguments)
        if mechanism is None:
            pytest.fail(f"{function.__qualname__} returned None; {_RETURN}", pytrace=False)
        assert_private(mechanism, **marker.kwargs)

    return audited_test


_RETURN = "a test marked private returns the mechanism to be audited"


def misplaced(item: pytest.Item, marker: pytest.Mark) -> str | None:
    """Why the marker would do nothing on this test, None when it would."""
    function = getattr(item, "obj", None)
    hypothesis = sys.modules.get("hypothesis")
    if marker.args:
        return f"the marker private takes names only, not {marker.args[0]!r}; write epsilon=..."
    if not isinstance(item, pytest.Function) or _of_unittest(item):
        return f"the marker private does nothing on a {type(item).__name__}; {_RETURN}"
    if hypothesis is not None and hypothesis.is_hypothesis_test(function):
        return "a Hypothesis test returns nothing; call assert_private in it instead"
    return None


def _of_unittest(item: pytest.Function) -> bool:
    # Where nothing has loaded unittest, no test can be of its kind.
    unittest = sys.modules.get("unittest")
    return bool(unittest and item.cls and issubclass(item.cls, unittest.TestCase))

"""Projects tested by a pytest inside this one."""

from __future__ import annotations

import importlib.metadata
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

import audit
from audit.frontends.testing import plugin, reproduction, summary

# A pytest run inside this process forgets what it imported, and compiled
# modules cannot be imported twice: all of them are loaded beforehand.
from audit.report import index, restore, text

from .releases import right

LOADED = (index, restore, text, plugin, reproduction, summary)
ENTRY_POINT = "[pytest11]\ndp_audit = audit.frontends.testing.plugin\n"
RELEASES = Path(__file__).with_name("releases.py")


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with tests and the module `releases`.

    Attributes:
        pytester: where it is, and how to test it.
    """

    pytester: pytest.Pytester

    def holds(self, source: str) -> None:
        """Write the project's tests."""
        header = "import pytest\nimport releases\nfrom audit.testing import *\n"
        self.pytester.makepyfile(test_project=header + textwrap.dedent(source))

    def configured(self, settings: str) -> None:
        """Write the table [tool.audit]."""
        self.pytester.makepyprojecttoml(f"[tool.audit]\n{textwrap.dedent(settings)}")

    def tested(self, *arguments: str) -> pytest.RunResult:
        """Run pytest on it, in this process."""
        return self.pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    """A folder that makes the plugin known, None where the package is installed."""
    known = importlib.metadata.entry_points(group="pytest11", name="dp_audit")
    if known:
        return None
    folder = tmp_path_factory.mktemp("installed")
    (folder / "plugin_of_checkout-0.dist-info").mkdir()
    (folder / "plugin_of_checkout-0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: plugin-of-checkout\nVersion: 0\n"
    )
    (folder / "plugin_of_checkout-0.dist-info" / "entry_points.txt").write_text(ENTRY_POINT)
    return str(folder)


@pytest.fixture(scope="session")
def warm() -> None:
    """The auditor loaded, down to what it imports on first use."""
    audit.run(right, epsilon=1.0, domain="float:0:1", max_samples=2000)


@pytest.fixture
def project(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    installed: str | None,
    warm: None,
) -> Project:
    """An empty project in which the plugin is installed."""
    if installed is not None:
        monkeypatch.syspath_prepend(installed)
        monkeypatch.setenv("PYTHONPATH", installed, prepend=":")
    checkout = str(Path(audit.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", checkout, prepend=":")
    (pytester.path / "releases.py").write_text(RELEASES.read_text("utf-8"), "utf-8")
    pytester.syspathinsert()
    return Project(pytester)

"""`audit all --config`: many targets of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.main import flags_of_command
from audit.frontends.cli.survey import given_to_all, targets_in

from .conftest import Audit

RELEASE = """
def right(data, rng, size):
    return data.sum() + rng.laplace(0, 1, size)

def hasty(data, rng, size):
    return data.sum() + rng.laplace(0, 0.4, size)
"""
PAIR = "data = [1, 0]\nneighbor = [[0]]\n"
DEFAULTS = "[defaults]\nepsilon = 1\nmax-samples = 3000\nsearch = false\n"
RIGHT = f'[audits.right]\npython = "release.py:right"\n{PAIR}'
HASTY = f'[audits.hasty]\npython = "release.py:hasty"\n{PAIR}'
BROKEN = '[audits.broken]\npython = "nowhere.py:f"\ndomain = "bool"\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.py").write_text(RELEASE)
    return tmp_path


def written(text: str, path: str = "audits.toml") -> None:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(text)


@pytest.mark.slow
def test_one_table_one_page_one_exit_code(audit: Audit, here: Path) -> None:
    written(DEFAULTS + RIGHT + HASTY)
    found = audit("all", "--config", "audits.toml", "--report", "r")
    assert found.code == 1 and found.err == ""
    lines = found.out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["right", "hasty"]
    assert lines[-1].endswith("runs: 1 not refuted, 1 violation")
    assert {f"{n}.{kind}" for n in ("right", "hasty") for kind in ("md", "json", "html")} <= {
        path.name for path in (here / "r").iterdir()
    }
    assert "[right](right.md)" in (here / "r" / "README.md").read_text()
    assert audit("compare", "r", "r", "--only-new").code == 0


@pytest.mark.slow
def test_what_cannot_be_audited_does_not_end_the_others(audit: Audit, here: Path) -> None:
    written(DEFAULTS + BROKEN + HASTY)
    found = audit("all", "--config", "audits.toml", "--report", "r", "--format", "json")
    assert found.code == 2 and "broken could not be audited: 'nowhere.py'" in found.err
    assert [result["mechanism"] for result in json.loads(found.out)] == ["hasty"]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_goes_on_where_it_was(audit: Audit, here: Path, workers: str) -> None:
    # In a folder of its own, beside which files are looked for.
    written(DEFAULTS + RIGHT, "sub/a.toml")
    written(DEFAULTS + HASTY, "sub/b.toml")
    (here / "sub" / "release.py").write_text(RELEASE)
    words = ("all", "--config", "sub", "--store", "kept", "--workers", workers, "--format", "json")
    first, again = (json.loads(audit(*words).out) for _ in range(2))
    for results in (first, again):
        for result in results:
            del result["seconds"], result["finished"]
    assert first == again
    assert sorted(path.name for path in (here / "kept").iterdir()) == ["hasty.db", "right.db"]


def tokens(text: str, *given: str) -> list[str]:
    written(text)
    (target,) = targets_in(Path("audits.toml"))
    return target.tokens(flags_of_command(target.command), given)


def test_what_is_more_particular_comes_first(here: Path) -> None:
    written("[tool.audit]\nseed = 7\nalpha = 0.2\nepsilon = 3\nreport = 'x'\n", "pyproject.toml")
    text = DEFAULTS + 'alpha = 0.1\n[audits.a]\npython = "f.py:f"\nrho = 0.5\n'
    assert tokens(text, "--max-samples", "9") == [
        *("python", "f.py:f", "--max-samples", "9", "--rho", "0.5", "--no-search"),
        *("--alpha", "0.1", "--seed", "7", "--name", "a"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('command = ["./p", "{data}"]', ["command", "--name", "a", "--", "./p", "{data}"]),
        ('command = "./p"', ["command", "--name", "a", "--", "./p"]),
        ('samples = ["D.txt", "D1.txt"]', ["samples", "D.txt", "D1.txt", "--name", "a"]),
        ('mechanism = "laplace"\nnull = true', ["laplace", "--null", "--name", "a"]),
        ('sql = "SELECT 1"', ["sql", "SELECT 1", "--name", "a"]),
    ],
)
def test_every_kind_is_a_command_line(here: Path, text: str, expected: list[str]) -> None:
    assert tokens(f"[audits.a]\n{text}\n") == expected


def test_flags_of_the_command_line_are_those_of_every_target(here: Path) -> None:
    words = "all --config a.toml --seed 3 --report r --workers=2 --null --ledger l --store s"
    given = given_to_all(Invocation(tuple(words.split())))
    assert given == ("--seed", "3", "--null", "--ledger", str(here / "l"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no [audits.NAME]"),
        ("x = 1", "'x' is neither"),
        ("audits = 3", "not a table"),
        ("[audits]\na = 3", "not a table"),
        ("[audits.a]\nepsilon = 1", "nothing to audit"),
        ('[audits.a]\npython = "f"\nsql = "g"', "python and sql"),
        ("[audits.a]\npython = 3", "python is 3, not a text"),
        ('[audits.a]\ncommand = ["p", 3]', "not a list of words"),
        ('[audits.a]\npython = ["f"]', "not a text"),
        ('[audits."a b"]\npython = "f"\n[audits."a/b"]\npython = "f"', "reports of one name"),
        ("[audits.a", "cannot be read as TOML"),
    ],
)
def test_files_that_make_no_sense_are_refused_in_one_line(
    audit: Audit, here: Path, text: str, why: str
) -> None:
    written(text)
    found = audit("all", "--config", "audits.toml")
    assert found.code == 2 and len(found.err.splitlines()) == 1
    assert why in found.err


@pytest.mark.parametrize(
    ("key", "why"),
    [("epsilo = 1", "did you mean epsilon?"), ('report = "x"', "leave it out")],
)
def test_keys_that_no_target_has_are_refused(here: Path, key: str, why: str) -> None:
    from audit.errors import InputError

    with pytest.raises(InputError) as caught:
        tokens(f'[audits.a]\npython = "f.py:f"\n{key}\n')
    assert why in str(caught.value)


def test_a_heading_of_the_catalogue_has_no_place_here(audit: Audit, here: Path) -> None:
    written(RIGHT)
    assert audit("all", "--config", "audits.toml", "--group", "Traps").code == 2

"""`audit http`: web services."""

from __future__ import annotations

import json
import shlex

import pytest

from tests.audit.blackbox.services import serving

from .conftest import Audit

pytest.importorskip("urllib3", reason="the extra http is not installed")

GIVEN = ("--epsilon", "1", "--data", "[1, 2]", "--neighbor", "[1]", "--format", "json")


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "code"), [("1", 0), (".25", 1)])
def test_a_service(audit: Audit, scale: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_MINE", "verysecrettoken")
    with serving() as server:
        url = server.url(f"count/{scale}")
        secret = ("--bearer-env", "TOKEN_OF_MINE", "--header", "X-Api-Key: $TOKEN_OF_MINE")
        run = audit("http", url, *GIVEN, *secret, "--rate", "100000", "--max-samples", "1000")
        assert server.asked[0][1]["Authorization"] == "Bearer verysecrettoken"
    assert run.code == code
    assert "verysecret" not in run.out + run.err
    command = shlex.split(json.loads(run.out)["command"])
    assert command[:3] == ["audit", "http", url]
    assert "TOKEN_OF_MINE" in command


@pytest.mark.slow
def test_a_service_that_is_asked(audit: Audit) -> None:
    with serving() as server:
        template = server.url("count/.25?data={data}&seed={seed}")
        run = audit("http", "--url-template", template, *GIVEN, "--max-samples", "1000")
    assert run.code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give a URL"),
        (("http://me:pass@127.0.0.1/",), "--bearer-env"),
        (("http://127.0.0.1:9/",), "connection closed"),
        (("http://127.0.0.1:9/", "--bearer-env", "NO_SUCH_VARIABLE"), "is not set"),
        (("http://127.0.0.1:9/", "--records", "dict"), "so leave it out"),
    ],
)
def test_services_that_cannot_be_audited(audit: Audit, words: tuple[str, ...], said: str) -> None:
    run = audit("http", *words, *GIVEN)
    assert (run.code, run.out) == (2, "")
    assert said in run.err

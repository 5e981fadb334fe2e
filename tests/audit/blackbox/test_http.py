"""Web services: told by POST, asked by GET, and hostile; each behavior has one answer."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from numpy.random import default_rng

import audit
from audit.blackbox import http_service
from audit.blackbox.exchange import ErrorAnswer, NoAnswer
from audit.blackbox.http import HttpBlackBox
from audit.blackbox.http_service import Access, NoConnection, RequestRate, Status
from audit.blackbox.interface import RunTimeout
from audit.blackbox.process import OutputLimit
from audit.errors import BlackBoxError, InputError
from audit.sampling.identity import digest_of
from audit.sampling.workers import forget_executors
from tests.audit.blackbox.services import Server, serving

pytest.importorskip("urllib3", reason="the extra http is not installed")

TOKEN = "verysecrettoken"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


def drawn(server: Server, path: str, **options: Any) -> Any:
    return HttpBlackBox(server.url(path), **options).bind([1, 2]).draw(default_rng(0), 1)


def audited(box: HttpBlackBox, **more: Any) -> audit.AuditResult:
    given: dict[str, Any] = {"data": [1, 0], "neighbors": [[1]], "max_samples": 3000}
    return audit.run(box, epsilon=1.0, **given | more)


@pytest.mark.parametrize("option", [socket.TCP_QUICKACK, None])
def test_packets_are_acknowledged_at_once(
    server: Server, monkeypatch: pytest.MonkeyPatch, option: int | None
) -> None:
    """Before each response, as the kernel goes back to delays."""
    heard = []

    def spied(self: socket.socket, *values: Any) -> None:
        heard.append(values)
        plain(self, *values)

    plain = socket.socket.setsockopt
    monkeypatch.setattr(socket.socket, "setsockopt", spied)
    monkeypatch.setattr(http_service, "_QUICK", option)
    bound = HttpBlackBox(server.url("count/1/seed")).bind([1, 2])
    for _ in range(3):
        bound.draw(default_rng(0), 1)
    quick = (socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
    assert heard.count(quick) == (0 if option is None else 3)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["seed", "own"])
def test_a_right_service_is_not_accused_and_a_wrong_one_is(server: Server, source: str) -> None:
    boxes = [HttpBlackBox(server.url(f"count/{scale}/{source}")) for scale in ("1", ".25")]
    right = audited(boxes[0], max_samples=600)
    wrong = audited(boxes[1], until="violation")
    assert right.verdict is audit.Verdict.NOT_REFUTED
    assert wrong.verdict is audit.Verdict.VIOLATION
    for result in (right, wrong):
        assert result.assumptions == ("independent-requests",)


@pytest.mark.slow
def test_services_that_are_asked_by_get(server: Server) -> None:
    query = "?data={data}&seed={seed}"
    right = HttpBlackBox(template=server.url("count/1") + query)
    wrong = HttpBlackBox(template=server.url("count/.25") + query)
    assert audited(right, max_samples=500).verdict is audit.Verdict.NOT_REFUTED
    assert audited(wrong, until="violation").verdict is audit.Verdict.VIOLATION
    assert server.asked[0][0]["data"] in ([1, 0], [1])
    text = HttpBlackBox(template=server.url("body/some%20words?d={data}"))
    assert text.bind(["a&b=c"]).draw(default_rng(0), 1) == "some words"
    assert server.asked[-1][0]["d"] == ["a&b=c"]
    assert not text.seeded


def test_what_is_sent(server: Server) -> None:
    box = HttpBlackBox(server.url("count/1"))
    first = [box.bind([1, 2]).draw(default_rng(seed), 1) for seed in (0, 0, 1)]
    assert first[0] == first[1] != first[2]
    asked, headers, _ = server.asked[0]
    assert asked == {"data": [1, 2], "size": 1, "seed": asked["seed"]}
    assert headers["Content-Type"] == "application/json"
    # One connection stays open for all of them.
    assert len({client for _, _, client in server.asked}) == 1


FAILURES: dict[str, tuple[type[Exception], str]] = {
    "body/hello": (NoAnswer, "an answer that is no list of outputs"),
    "body/[1,2]": (NoAnswer, "an answer that is no list of outputs"),
    'body/{"error":"at 7"}': (ErrorAnswer, "answered with an error"),
    "body/hello/404": (Status, "status 404 with text"),
    "body/{}/404": (Status, "status 404 with an object in JSON"),
    "body/[]/500": (Status, "status 500 with a list in JSON"),
    "body/7/500": (Status, "status 500 with a value in JSON"),
    "elsewhere": (Status, "status 307 with no body"),
    "slow/5": (RunTimeout, "timed out"),
    "drips": (RunTimeout, "timed out"),
    "huge": (OutputLimit, "more than 100000 bytes of output"),
    "endless": (OutputLimit, "more than 100000 bytes of output"),
    "bomb": (OutputLimit, "more than 100000 bytes of output"),
    "headers": (NoConnection, "connection closed"),
    "cut": (NoAnswer, "an answer that is no list of outputs"),
    "closes": (NoConnection, "connection closed"),
    "breaks": (NoConnection, "connection closed"),
    "nonsense": (NoConnection, "connection closed"),
}


@pytest.mark.parametrize("path", FAILURES)
def test_hostile_services_have_one_answer_each(server: Server, path: str) -> None:
    error, name = FAILURES[path]
    late = error is RunTimeout
    url = server.url(quote(path))
    box = HttpBlackBox(url, timeout=0.3 if late else 20.0, output_limit=100_000)
    bound = box.bind([1, 2])
    for _ in range(2):
        with pytest.raises(error) as caught:
            bound.draw(default_rng(0), 1)
        assert getattr(caught.value, "outcome_name", None) == name
        # Whoever gives up after a while may do so before a busy machine has read the question.
        assert server.heard.acquire(timeout=60)
    # Redirects are not followed, and nothing is asked twice.
    assert len(server.asked) == 2


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
    with pytest.raises(NoConnection) as caught:
        HttpBlackBox(url).bind([1]).draw(default_rng(0), 1)
    assert str(caught.value).startswith("ConnectionRefusedError: ")
    with pytest.raises(BlackBoxError, match=r"connection closed.*; check the address .* running$"):
        audited(HttpBlackBox(url))


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (404, "; check the path of the address; URL is asked by POST, --url-template by GET$"),
        (405, "; check the path of the address"),
        (401, "; check --bearer-env and --header"),
        (403, "; check --bearer-env and --header"),
        (500, "; if the dataset is wrong, check `data`, or run "),
    ],
)
def test_advice_on_a_status_is_about_the_request_where_that_is_wrong(
    server: Server, status: int, advice: str
) -> None:
    box = HttpBlackBox(server.url(f"body/no/{status}"))
    with pytest.raises(BlackBoxError, match=f"^status {status} with text: .*{advice}"):
        audit.run(box, epsilon=1.0, data=[1, 2], max_samples=3_000)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_and_that_is_no_output(server: Server, status: int) -> None:
    box = HttpBlackBox(server.url(f"busy/2/{status}"))
    quiet = HttpBlackBox(server.url("count/1"))
    assert box.bind([1]).draw(default_rng(0), 1) == quiet.bind([1]).draw(default_rng(0), 1)
    assert len(server.asked) == 4


def test_a_service_that_stays_busy_ends_the_audit(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.blackbox.http_service._MOST_WAITING", 0.3)
    with pytest.raises(BlackBoxError, match="lower --rate"):
        drawn(server, "busy/99/429")


@pytest.mark.slow
def test_statuses_are_bet_on(server: Server) -> None:
    result = audited(HttpBlackBox(server.url("refuses")), until="violation")
    assert result.verdict is audit.Verdict.VIOLATION
    assert result.failure is not None
    assert result.failure.kind == "status 422 with an object in JSON"


@pytest.mark.slow
def test_secrets_are_sent_and_never_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOKEN_OF_MINE", TOKEN)
    headers = ["X-Api-Key: $TOKEN_OF_MINE", "X-Team: blue"]
    box = HttpBlackBox(server.url("echo"), headers=headers, bearer="TOKEN_OF_MINE")
    output = box.bind([1]).draw(default_rng(0), 1)
    _, sent, _ = server.asked[0]
    assert (sent["Authorization"], sent["X-Api-Key"]) == (f"Bearer {TOKEN}", TOKEN)
    assert sent["X-Team"] == "blue"
    assert output["Authorization"] == "Bearer ***"
    assert TOKEN not in f"{box.identity}"
    assert digest_of(box.identity)
    store = tmp_path / "store"
    right = HttpBlackBox(server.url("count/1"), headers=headers, bearer="TOKEN_OF_MINE")
    result = audited(right, max_samples=200, store=store)
    assert TOKEN not in json.dumps(result.to_json())
    assert TOKEN.encode() not in store.read_bytes()
    monkeypatch.delenv("TOKEN_OF_MINE")
    with pytest.raises(InputError, match="'TOKEN_OF_MINE' is not set"):
        HttpBlackBox(server.url("echo"), bearer="TOKEN_OF_MINE")
    assert Access().secrets() == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "give a URL"),
        ({"url": "http://a", "template": "http://a/{data}"}, "not both"),
        ({"url": "ftp://a/b"}, "is not an address"),
        ({"url": "http://[a/b"}, "is not an address"),
        ({"url": "localhost:80"}, "is not an address"),
        ({"url": "http://me:pass@a/b"}, "--bearer-env"),
        ({"template": "http://a/b"}, "needs {data}"),
        ({"template": "http://a/{data}/{epsilon}"}, "add `epsilon`"),
        ({"template": "http://a/{data}/{sed}"}, r"did you mean {seed}\?"),
        ({"url": "http://a", "headers": ["novalue"]}, "is not NAME: VALUE"),
        ({"url": "http://a", "headers": ["Authorization: Bearer x"]}, "would show a secret"),
        ({"url": "http://a", "headers": ["X-Api-Key: x"]}, "would show a secret"),
        ({"url": "http://a", "rate": 0.0}, "--rate"),
        ({"url": "http://a", "timeout": 0.0}, "timeout 0.0 is not a number of seconds"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        HttpBlackBox(**options)
    assert "pass@" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_turns_are_at_equal_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    rate = RequestRate(4.0)
    for _ in range(3):
        rate.wait()
    assert slept == [0.0, 0.25, 0.5]
    monkeypatch.setattr(time, "monotonic", lambda: 2000.0)
    rate.wait()
    RequestRate(None).wait()
    assert slept[3:] == [0.0, 0.0]


@pytest.mark.slow
def test_workers_change_nothing(server: Server) -> None:
    box = HttpBlackBox(server.url("count/1"))
    one, two = (audited(box, max_samples=400, workers=workers) for workers in (1, 2))
    forget_executors()
    assert (one.epsilon_lower, one.samples) == (two.epsilon_lower, two.samples)

"""A web service for tests: each path has a behavior of its own."""

from __future__ import annotations

import gzip
import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit


class Service(BaseHTTPRequestHandler):
    """Answers by the first word of the path; the others are its arguments."""

    protocol_version = "HTTP/1.1"
    # An answer is sent as a whole: in parts, each would wait for the client's acknowledgement.
    disable_nagle_algorithm, wbufsize = True, -1
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._answered(asked)

    def do_GET(self) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        self._answered({name: json.loads(value) for name, value in query.items()})

    def _answered(self, asked: dict[str, Any]) -> None:
        self.server.asked.append((asked, dict(self.headers), self.client_address))
        self.server.heard.release()
        behavior, *words = urlsplit(self.path).path.strip("/").split("/")
        getattr(self, f"do_{behavior}")(asked, *words)

    def reply(self, body: Any, status: int = 200, **headers: str) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def do_count(self, asked: dict[str, Any], scale: str, source: str = "seed") -> None:
        """The number of records with Laplace noise, from the seed or from one of its own."""
        draw = random.Random(asked["seed"]) if source == "seed" else self.server.own
        noise = draw.expovariate(1.0) - draw.expovariate(1.0)
        answer = len(asked["data"]) + float(scale) * noise
        self.reply([answer] if self.command == "POST" else {"answer": answer})

    def do_number(self, asked: dict[str, Any], scale: str, source: str) -> None:
        """The first record with Laplace noise, likewise."""
        self.do_count({**asked, "data": [0] * int(asked["data"][0])}, scale, source)

    def do_body(self, asked: dict[str, Any], text: str, status: str = "200") -> None:
        self.reply(unquote(text).encode(), int(status))

    def do_echo(self, asked: dict[str, Any]) -> None:
        self.reply([dict(self.headers)])

    def do_refuses(self, asked: dict[str, Any]) -> None:
        """A status that tells how many records there are."""
        few = random.Random(asked["seed"]).random() < (0.02, 0.4)[len(asked["data"]) - 1]
        self.reply({"detail": f"{time.time()}"} if few else [1.0], 422 if few else 200)

    def do_busy(self, asked: dict[str, Any], times: str, status: str) -> None:
        """Busy so many times before each answer."""
        self.server.busy = (self.server.busy + 1) % (int(times) + 1)
        if self.server.busy:
            self.reply({"detail": "later"}, int(status), Retry_After="0")
        else:
            self.do_count(asked, "1")

    def do_elsewhere(self, asked: dict[str, Any]) -> None:
        self.reply(b"", 307, Location="/count/1")

    def do_slow(self, asked: dict[str, Any], seconds: str) -> None:
        time.sleep(float(seconds))
        self.reply([1.0])

    def do_drips(self, asked: dict[str, Any]) -> None:
        """A byte now and then, for ever."""
        self.send_response(200)
        self.end_headers()
        while not self.server.over.wait(0.02):
            self.wfile.write(b" ")
            self.wfile.flush()

    def do_huge(self, asked: dict[str, Any]) -> None:
        self.reply(b" " * 200_000 + b"[1]")

    def do_endless(self, asked: dict[str, Any]) -> None:
        """As much as is read."""
        self.send_response(200)
        self.end_headers()
        while not self.server.over.is_set():
            self.wfile.write(b" " * 65_536)

    def do_bomb(self, asked: dict[str, Any]) -> None:
        """Few bytes on the way that become many."""
        self.reply(gzip.compress(b" " * 5_000_000 + b"[1]"), Content_Encoding="gzip")

    def do_headers(self, asked: dict[str, Any]) -> None:
        """Headers without an end."""
        self.send_response(200)
        while not self.server.over.is_set():
            self.send_header("X-More", "and more")
            self.flush_headers()

    def do_cut(self, asked: dict[str, Any]) -> None:
        """More than was announced."""
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"[1.0]")
        self.close_connection = True

    def do_closes(self, asked: dict[str, Any]) -> None:
        self.close_connection = True

    def do_breaks(self, asked: dict[str, Any]) -> None:
        """Less than was announced."""
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"[1")
        self.close_connection = True

    def do_nonsense(self, asked: dict[str, Any]) -> None:
        self.wfile.write(b"\0\1\2 this is no HTTP\r\n\r\n")
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Nothing is told."""


class Server(ThreadingHTTPServer):
    """The service and what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Service)
        self.asked: list[tuple[dict[str, Any], dict[str, str], Any]] = []
        self.own, self.busy, self.over = random.Random(8), 0, threading.Event()
        self.heard = threading.Semaphore(0)

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is none."""

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{path}"


@contextmanager
def serving() -> Iterator[Server]:
    """A service while the context lasts."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()

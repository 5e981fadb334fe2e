"""Requests to a web service: never longer, larger or more often than allowed."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from audit.blackbox.exchange import NoAnswer, value_in
from audit.blackbox.interface import RunTimeout
from audit.blackbox.process import OutputLimit
from audit.blackbox.time_limit import CutOff, TimeLimit
from audit.errors import BlackBoxError, InputError, reason_of, shown
from audit.source_code import library
from audit.validation import filled, variable

_BUSY = frozenset({429, 503})
"""Statuses that ask to come back later, and say nothing of the data."""
_FIRST_PAUSE, _LONGEST_PAUSE, _MOST_WAITING = 0.1, 30.0, 300.0
_IDLE = 1.0
"""Seconds after which a connection is not used again: its other end may be closing it."""
_PIECE = 1 << 16
_SECRET = re.compile("auth|cookie|key|token|secret|password", re.IGNORECASE)
"""In names of headers whose values nobody should see."""
_JSON = {"Content-Type": "application/json"}
_QUICK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""Socket option of Linux; other systems have none like it."""


class Status(Exception):
    """The service answered with a status other than 2xx; an output with its body's type.

    Attributes:
        status: the number.
    """

    def __init__(self, status: int, body: bytes, where: str | None) -> None:
        self.status = status
        self.outcome_name = f"status {status} with {_kind(body)}"
        told = f", to {shown(where)}, which is not followed" if where and status // 100 == 3 else ""
        super().__init__(f"{shown(body.decode('utf-8', errors='replace').strip())}{told}")


class NoConnection(Exception):
    """The service closed the connection before its answer was whole, or opened none."""

    outcome_name = "connection closed"


class NotReached(NoConnection):
    """The service opened no connection."""


@dataclass(frozen=True, slots=True)
class Access:
    """Headers and time limit of every request to a service.

    Attributes:
        headers: names and values; a value $NAME stands for an environment variable.
        bearer: the environment variable with the bearer token, None for no token.
    """

    headers: tuple[tuple[str, str], ...] = ()
    bearer: str | None = None

    def sent(self) -> dict[str, str]:
        """The headers with all that is secret in them.

        Raises:
            InputError: an environment variable is not set.
        """
        found = {name: filled(value) for name, value in self.headers}
        if self.bearer is not None:
            found["Authorization"] = f"Bearer {variable(self.bearer)}"
        return found

    def secrets(self) -> tuple[bytes, ...]:
        """Values that came from the environment."""
        names = [value[1:] for _, value in self.headers if value.startswith("$")]
        names += [] if self.bearer is None else [self.bearer]
        return tuple(variable(name).encode() for name in names)


class HttpService:
    """A web service that is sent one request after the other over connections that stay open.

    Redirects are not followed. Where the service asks to come back later (429, 503),
    the same request is made again after a while: what it asks for in Retry-After, else
    a tenth of a second, doubled each time.
    """

    def __init__(self, access: Access, rate: RequestRate, seconds: float | None, most: int) -> None:
        """Open nothing yet.

        Args:
            access: headers and token.
            rate: how often requests are made.
            seconds: for one request and its answer, None for no limit.
            most: bytes that an answer may have.

        Raises:
            InputError: urllib3 is not installed, or an environment variable is not set.
        """
        self._urllib3 = library("urllib3", "a web service", "urllib3", "http")
        self._cut = CutOff(seconds)
        self._pool = _pools(self._urllib3, self._cut.opened)
        self._headers, self._secrets = access.sent(), access.secrets()
        self._rate, self._limit, self._most = rate, TimeLimit(seconds), most
        self._used, self._has_turn = 0.0, False

    def take_turn(self) -> None:
        """Wait for the turn of the next request before it is made."""
        self._rate.wait()
        self._has_turn = True

    def answer(self, method: str, url: str, body: bytes | None) -> bytes:
        """The body of the answer to one request.

        Raises:
            Status: its status is not 2xx.
            RunTimeout: it took too long.
            OutputLimit: it is too large.
            NoConnection: there was no whole answer; `NotReached` if no connection was opened.
            BlackBoxError: the service asks to come back later again and again.
        """
        waited, pause = 0.0, _FIRST_PAUSE
        answer: bytes
        while True:
            if not self._has_turn:
                self._rate.wait()
            self._has_turn = False
            status, answer, headers = self._limit.run(self._asked, method, url, body)
            if status not in _BUSY:
                break
            if waited >= _MOST_WAITING:
                raise BlackBoxError(
                    f"the service has asked to come back later for {waited:.0f} s (status "
                    f"{status}); give a lower --rate, or fewer `workers`",
                    status,
                )
            wanted = min(_LONGEST_PAUSE, max(pause, _seconds_in(headers.get("retry-after"))))
            time.sleep(wanted)
            waited, pause = waited + wanted, min(2.0 * pause, _LONGEST_PAUSE)
        if status // 100 != 2:
            raise Status(status, answer, headers.get("location"))
        return answer

    def _asked(self, method: str, url: str, body: bytes | None) -> tuple[int, bytes, Any]:
        now, seconds = time.monotonic(), self._limit.seconds
        if now - self._used > _IDLE:
            self._pool.clear()
        response, whole = None, False
        try:
            with self._cut.watched():
                response = self._pool.request(
                    method,
                    url,
                    body=body,
                    headers=self._headers | ({} if body is None else _JSON),
                    redirect=False,
                    preload_content=False,
                    timeout=seconds,
                )
                answer = self._body(response, None if seconds is None else now + seconds)
            self._cut.check(seconds)
            whole = True
        except self._urllib3.exceptions.HTTPError as error:
            self._cut.check(seconds)
            raise self._told(error, url) from None
        finally:
            self._used = time.monotonic()
            if not whole:
                # Whatever comes over it next belongs to this request.
                if response is not None:
                    response.close()
                self._pool.clear()
        return response.status, self._scrubbed(answer), response.headers

    def _told(self, error: Exception, url: str) -> Exception:
        """Error for a request without an answer."""
        kinds = self._urllib3.exceptions
        if isinstance(error, kinds.LocationValueError):
            return BlackBoxError(f"no request can be made to {url!r} ({reason_of(error)})")
        late = isinstance(error, kinds.TimeoutError)
        if late and not isinstance(error, kinds.NewConnectionError):
            return RunTimeout(f"no answer within {self._limit.seconds:g} s")
        cause = error.__cause__
        if isinstance(error, kinds.NewConnectionError) and isinstance(cause, OSError):
            # What urllib3 says of it begins with the connection, by the name of its class.
            return NotReached(reason_of(cause))
        return NoConnection(reason_of(error))

    def _body(self, response: Any, deadline: float | None) -> bytes:
        found = bytearray()
        for piece in response.stream(_PIECE, decode_content=True):
            found += piece
            if len(found) > self._most:
                raise OutputLimit(self._most)
            if deadline is not None and time.monotonic() > deadline:
                raise RunTimeout(f"no whole answer within {self._limit.seconds:g} s")
        response.release_conn()
        return bytes(found)

    def _scrubbed(self, answer: bytes) -> bytes:
        """An answer without secrets that the service may have sent back."""
        for secret in self._secrets:
            answer = answer.replace(secret, b"***") if secret else answer
        return answer


def parsed_header(text: str) -> tuple[str, str]:
    """Name and value of a header as it is given on the command line.

    Raises:
        InputError: it is no NAME: VALUE, or a secret that would be seen in every result.
    """
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not (name and colon and value) or not (name + value).isprintable() or " " in name:
        raise InputError(f"--header {text!r} is not NAME: VALUE", text)
    if _SECRET.search(name) and not value.startswith("$"):
        raise InputError(
            f"--header {name} would show a secret in the result; put it into an environment "
            f"variable and write --header '{name}: $VARIABLE', or --bearer-env VARIABLE",
            name,
        )
    return name, value


def _kind(body: bytes) -> str:
    if not body.strip():
        return "no body"
    try:
        value = value_in(body)
    except NoAnswer:
        return "text"
    kinds: Mapping[type, str] = {dict: "an object", list: "a list", str: "a string"}
    return f"{kinds.get(type(value), 'a value')} in JSON"


def _seconds_in(text: str | None) -> float:
    """Seconds that Retry-After asks for; 0 if it is a date or missing."""
    return float(text) if text is not None and text.strip().isdigit() and len(text) < 9 else 0.0


def _pools(urllib3: Any, opened: Callable[[Callable[[], None]], None]) -> Any:
    """Pools of connections that say, as soon as they are open, how to end them.

    Args:
        urllib3: the library.
        opened: is told; what it is given ends the connection, from any thread.
    """

    def telling(kind: Any) -> Any:
        class Telling(kind.ConnectionCls):  # type: ignore[misc]  # of a library that may be missing
            def connect(self) -> None:
                super().connect()
                opened(partial(self.sock.shutdown, socket.SHUT_RDWR))

            def getresponse(self) -> Any:
                # A service that sends header and body in separate packets waits until the first
                # is acknowledged. Linux delays that by 40 ms (delayed ACK, RFC 1122, 4.2.3.2).
                if _QUICK is not None and self.sock is not None:
                    self.sock.setsockopt(socket.IPPROTO_TCP, _QUICK, 1)
                return super().getresponse()

        return type(kind.__name__, (kind,), {"ConnectionCls": Telling})

    pools = urllib3.PoolManager(maxsize=1, retries=False)
    kinds = pools.pool_classes_by_scheme
    pools.pool_classes_by_scheme = {scheme: telling(kind) for scheme, kind in kinds.items()}
    return pools


class RequestRate:
    """Turns at equal distances; whoever takes one waits until it comes."""

    def __init__(self, rate: float | None) -> None:
        """Say how fast.

        Args:
            rate: turns a second, None for no limit.

        Raises:
            InputError: the rate is not a positive number.
        """
        if rate is not None and not 0.0 < rate < 1e9:
            raise InputError(f"--rate {rate!r} is not a number of requests a second above 0", rate)
        self._step = 0.0 if rate is None else 1.0 / rate
        self._next, self._lock = 0.0, threading.Lock()

    def wait(self) -> None:
        """Wait for the next turn."""
        now = time.monotonic()
        with self._lock:
            turn = max(now, self._next)
            self._next = turn + self._step
        time.sleep(turn - now)

"""A web service as a black box."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

from numpy.random import Generator

from audit.blackbox.command import LARGEST_SEED, OUTPUT_LIMIT, PLACEHOLDER, placeholders_in
from audit.blackbox.exchange import (
    AskedBlackBox,
    NoAnswer,
    output_in,
    output_of,
    question,
    value_in,
)
from audit.blackbox.http_service import Access, HttpService, RequestRate, parsed_header
from audit.blackbox.time_limit import Patience, check_seconds
from audit.errors import InputError

_IN_A_TEMPLATE = frozenset({"data", "size", "seed", "epsilon"})


class HttpBlackBox(AskedBlackBox):
    """A web service that is told a dataset by POST, or asked by GET with a template.

    By POST it gets the object {"data": [...], "size": 1, "seed": s} and answers with
    a JSON list of one output, or {"error": "..."}. By GET, {data} {size} {seed} and
    {epsilon} are filled into the address, and the whole body is the output: a JSON
    value, else text.

    Outputs are also: a status other than 2xx with its body's type, a time-out, too
    large an answer, one that is no list of outputs, and a connection that is closed
    or not opened. 429 and 503 are none: the same is asked again later. Nobody sees
    what a service keeps from one request to the next: requests are assumed to be independent.

    Attributes:
        name: host and path of the service.
        seeded: whether it is told a seed.
        abroad: a service goes on where it is, whatever process asks it.
    """

    abroad = True

    def __init__(
        self,
        url: str | None = None,
        template: str | None = None,
        headers: Sequence[str] = (),
        bearer: str | None = None,
        rate: float | None = None,
        epsilon: float | None = None,
        timeout: float | None = 10.0,
        output_limit: int = OUTPUT_LIMIT,
    ) -> None:
        """Read the address and what every request brings.

        Args:
            url: where to POST; None where there is a template.
            template: the address to GET, with placeholders.
            headers: "NAME: VALUE" each; a value $VARIABLE is taken from the environment.
            bearer: the environment variable that holds the bearer token.
            rate: requests a second at most, by all workers together.
            epsilon: what {epsilon} becomes.
            timeout: seconds for one request, None for no limit.
            output_limit: bytes that an answer may have.

        Raises:
            InputError: something of that makes no sense, or urllib3 is not installed.
        """
        address = _address(url, template, epsilon)
        self._template, self._epsilon = template, epsilon
        self._url = url
        parts = urlsplit(address)
        self.name = f"{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
        self.seeded = template is None or "{seed}" in template
        self._access = Access(tuple(parsed_header(header) for header in headers), bearer)
        self._rate = RequestRate(rate)
        self._limits = check_seconds(timeout), output_limit
        self._own = threading.local()
        self._own.service = HttpService(self._access, self._rate, *self._limits)
        self._patience = Patience(self.name, timeout)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on, without secrets."""
        return "http", self._url, self._template, self._access.headers, self._epsilon, *self._limits

    def _prepare(self) -> None:
        """Wait for the turn that a rate of requests gives to the next one."""
        self._service.take_turn()

    def _asked(self, data: bytes, rng: Generator) -> Callable[[], Any]:
        seed = int(rng.integers(LARGEST_SEED)) if self.seeded else 0
        if self._url is not None:
            return partial(self._output, "POST", self._url, question(data, seed))
        return partial(self._output, "GET", self._asked_for(data, seed), None)

    def _output(self, method: str, address: str, body: bytes | None) -> Any:
        with self._patience:
            answer = self._service.answer(method, address, body)
        return _whole(answer) if body is None else output_in(answer)

    @property
    def _service(self) -> HttpService:
        """The connection of this thread."""
        found: HttpService | None = getattr(self._own, "service", None)
        if found is None:
            found = self._own.service = HttpService(self._access, self._rate, *self._limits)
        return found

    def _asked_for(self, data: bytes, seed: int) -> str:
        values = {
            "data": quote(data.decode("utf-8", errors="surrogatepass"), safe="", errors="replace"),
            "size": "1",
            "seed": str(seed),
            "epsilon": repr(self._epsilon),
        }
        return PLACEHOLDER.sub(lambda found: values[found[1]], self._template or "")


def _whole(answer: bytes) -> Any:
    """A body as one output: a JSON value, else its text."""
    try:
        return output_of(value_in(answer))
    except NoAnswer:
        return output_of(answer.decode("utf-8", errors="replace").strip())


def _check_address(address: str) -> None:
    """Refuse what is no address, and one with a password."""
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not address.isprintable() or " " in address:
        raise InputError(
            f"{address!r} is not an address such as http://127.0.0.1:8000/count", address
        )
    if parts.username or parts.password:
        raise InputError(
            "the address holds a name or a password, which every result would show; put a token "
            "into an environment variable and give --bearer-env VARIABLE"
        )


def _address(url: str | None, template: str | None, epsilon: float | None) -> str:
    if (url is None) == (template is None):
        raise InputError("give a URL to POST to, or --url-template for GET, and not both", url)
    address = url or template or ""
    _check_address(address)
    used = placeholders_in(address, epsilon, "template")
    if template is not None and ("data" not in used or not used <= _IN_A_TEMPLATE):
        raise InputError(
            f"--url-template {template!r} needs {{data}}, and may have {{size}} {{seed}} and "
            "{epsilon}",
            template,
        )
    return address

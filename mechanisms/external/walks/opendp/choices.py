"""OpenDP's randomized response, noisy best of scores, and choice among private candidates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from audit.declaration import Entry
from mechanisms.external.call import many, one
from mechanisms.external.walks.opendp.measured import Measured

_TIES, _SPLIT = [0, 0, 0], [1, -1, -1]


def entries(measured: Measured) -> Iterator[Entry]:
    """All of them."""
    yield from _responses(measured)
    yield from _best(measured)
    yield from _bits(measured)
    yield from _candidates(measured)


def _responses(measured: Measured) -> Iterator[Entry]:
    dp = measured.dp
    for prob in (0.5, 0.75, 0.99):
        for steady in (False, True):
            make = dp.m.make_randomized_response_bool
            made = measured.made(make, prob, constant_time=steady)
            if made is not None:
                call = f"make_randomized_response_bool({prob}, constant_time={steady})"
                yield measured.entry(call, made, one(bool), ([0], [1]), 1)
    for count in (2, 3, 10):
        for prob in (0.5, 0.9):
            words = [f"word {number}" for number in range(count)]
            made = dp.m.make_randomized_response(words, prob)
            call = f"make_randomized_response({count} words, {prob})"
            told = _named([*words, "unknown"])
            yield measured.entry(call, made, told, ([0], [1]), 1)
            yield measured.entry(f"{call}, one unknown", made, told, ([0], [count]), 1)


def _named(words: list[str]) -> Any:
    return lambda data: words[int(data[0])]


def _best(measured: Measured) -> Iterator[Entry]:
    dp = measured.dp
    measures = {"pure": dp.max_divergence(), "zcdp": dp.zero_concentrated_divergence()}
    for name in ("i32", "i64", "f64", "u32"):
        cast = float if name == "f64" else int
        scores = dp.vector_domain(measured.atoms(name))
        for monotonic in (False, True):
            metric = dp.linf_distance(T=measured.kind(name), monotonic=monotonic)
            pair = ([1, 1, 1], [2, 1, 1]) if monotonic else ([1, 1, 1], [2, 0, 0])
            for measure, output in measures.items():
                for negate in (False, True):
                    words = f"{name}, {measure}, scale=1.0, negate={negate}, monotonic={monotonic}"
                    best = dp.m.make_noisy_max(scores, metric, output, 1.0, negate)
                    call = f"make_noisy_max({words})"
                    yield measured.entry(call, best, many(cast), pair, cast(1))
                    top = dp.m.make_noisy_top_k(scores, metric, output, 2, 1.0, negate)
                    call = f"make_noisy_top_k({words}, k=2)"
                    yield measured.entry(call, top, many(cast), pair, cast(1))


def _bits(measured: Measured) -> Iterator[Entry]:
    """Bits of a report, of which a user sets as many as the weight allows."""
    dp = measured.dp
    for weight in (1, 2):
        for flips in (0.25, 0.75):
            domain = dp.bitvector_domain(max_weight=weight)
            make = dp.m.make_randomized_response_bitvec
            made = measured.made(make, domain, dp.discrete_distance(), flips)
            if made is None:
                continue
            pair = ([0b01], [0b10]) if weight == 1 else ([0b0011], [0b1100])
            call = f"make_randomized_response_bitvec(max_weight={weight}, f={flips})"
            yield measured.entry(call, made, _byte, pair, 1, told=list)


def _byte(data: Any) -> bytes:
    return bytes([int(data[0])])


def _candidates(measured: Measured) -> Iterator[Entry]:
    """The first noisy score above a threshold, and nothing when it stops before."""
    dp = measured.dp
    space = measured.atoms("f64"), dp.absolute_distance(T=float)
    for stop in (0.0, 0.1, 0.5):
        for threshold in (0.0, 2.0):
            made = measured.made(_selection, dp, space, stop, threshold)
            if made is not None:
                words = f"stop_probability={stop}, threshold={threshold}"
                call = f"make_select_private_candidate({words})"
                yield measured.entry(call, made, one(float), ([0.0], [1.0]), 1.0)


def _selection(dp: Any, space: Any, stop: float, threshold: float) -> Any:
    noisy = dp.m.make_laplace(*space, 1.0)
    scored = dp.m.make_user_measurement(
        *space,
        output_measure=dp.max_divergence(),
        function=lambda value: (float(noisy(value)), 0),
        privacy_map=lambda d_in: float(d_in),
        TO="(f64, ExtrinsicObject)",
    )
    return dp.c.make_select_private_candidate(scored, stop, threshold)

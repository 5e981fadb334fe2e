"""Addresses of batches, and the generators that stand there.

A batch is known by its address; its randomness follows from the audit's seed
and that address alone, so any batch can be drawn again, alone, in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from numpy.random import Generator, Philox, SeedSequence

_APART = 1
"""Behind an address: streams of single draws, which no child of the address itself has."""
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_MODULUS = 1 << 128


class Stage(IntEnum):
    """What a batch is drawn for; stages never share randomness."""

    BET = 0
    TABLE = 1
    WITNESS = 2
    SEARCH = 3
    CHECK = 4
    CONFIRM = 5
    TIME = 6


@dataclass(frozen=True, slots=True)
class Address:
    """Where in the audit a batch belongs.

    Attributes:
        stage: what it is drawn for.
        pair: number of the pair.
        batch: number of the batch.
        twin: number of the pair whose randomness it shares, None for its own;
            pairs that are only compared with each other are told apart better so.
    """

    stage: Stage
    pair: int
    batch: int
    twin: int | None = None

    def stream(self, seed: int, side: int) -> SeedSequence:
        """The root of this batch's randomness; side 0 is also the shared stream."""
        source = self.pair if self.twin is None else self.twin
        return SeedSequence(seed, spawn_key=(int(self.stage), source, side, self.batch))


def separate_generators(stream: SeedSequence, size: int) -> Iterator[Generator]:
    """A generator for each of `size` draws; each is used up before the next is asked for.

    One generator is set to a far-apart position of its cipher for each draw, which
    takes a tenth of making a new one. Its children, though, are numbered by how many
    were spawned before them, so that draw i would have others where an earlier draw
    spawned more: once a draw has spawned, every later one has a stream of its own.
    """
    cipher = Philox(stream)
    rng = Generator(cipher)
    state = cipher.state
    draw = 0
    while draw < size and stream.n_children_spawned == 0:
        state["state"]["counter"][:] = (0, draw, 0, 0)
        state["buffer_pos"], state["has_uint32"] = 4, 0
        cipher.state = state
        yield rng
        draw += 1
    for later in range(draw, size):
        key = (*stream.spawn_key, _APART, later)
        yield Generator(Philox(SeedSequence(stream.entropy, spawn_key=key)))


def drawn_from(rng: Generator) -> bool:
    """Whether anything was drawn from a generator that `separate_generators` gave."""
    state: Mapping[str, Any] = rng.bit_generator.state
    return bool(state["state"]["counter"][0] > 0)


def words_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """How many 64-bit words were drawn between two states of one PCG64 generator.

    The generator is a linear congruence modulo 2^128, whose steps can be counted bit
    by bit: the lowest bit of the state has period 2, the lowest two have period 4,
    and so on (F. Brown, "Random number generation with arbitrary strides", 1994; the
    inverse of its jump).

    Returns:
        The count modulo 2^128; a half word left over counts as drawn.
    """
    held, wanted = before["state"]["state"], after["state"]["state"]
    multiplier, increment = _MULTIPLIER, before["state"]["inc"]
    words, bit = 0, 1
    while held != wanted:
        if (held ^ wanted) & bit:
            held = (held * multiplier + increment) % _MODULUS
            words |= bit
        increment = (multiplier + 1) * increment % _MODULUS
        multiplier = multiplier * multiplier % _MODULUS
        bit <<= 1
    return words

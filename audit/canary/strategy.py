"""Strategies of guessing that share alpha: both sides together, and "in" alone."""

from __future__ import annotations

from dataclasses import dataclass

from audit.canary.guesses import Guesses
from audit.canary.prefixes import Prefix, prefixes_of

BOTH_SIDES, IN_ALONE, ALL_GUESSES = "both sides", "in alone", "all guesses"

_BOTH_SHARE, _IN_SHARE = 0.9, 0.1
"""Parts of alpha: leaks that show members only are looked for at little cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """Prefixes of the guesses, all of them tested together by one exact boundary.

    Attributes:
        name: in words.
        share: its part of alpha.
        kappa: part of delta that its guesses can cost: 1, or the probability
            of "in" where only "in" is guessed.
        prefixes: from the shortest to the longest.
    """

    name: str
    share: float
    kappa: float
    prefixes: tuple[Prefix, ...]


def strategies_for(guesses: Guesses, probability: float, *, given: bool) -> tuple[Strategy, ...]:
    """The strategies for some guesses.

    Which strategies there are follows from how the canaries were assigned and
    from who guessed, never from the output.

    Args:
        guesses: how many there are of either side.
        probability: of "in".
        given: whether somebody else made them, all with one confidence: then
            there is one prefix, which holds them all.

    Returns:
        None where there are no guesses.
    """
    ins, outs = len(guesses.ins), len(guesses.outs)
    if not len(guesses):
        return ()
    whole = (Prefix(ins, outs),) if given else prefixes_of(ins, outs)
    if given or not guesses.sided:
        return (Strategy(name=ALL_GUESSES, share=1.0, kappa=1.0, prefixes=whole),)
    alone = prefixes_of(ins, 0) if ins else ()
    return (
        Strategy(name=BOTH_SIDES, share=_BOTH_SHARE, kappa=1.0, prefixes=whole),
        Strategy(name=IN_ALONE, share=_IN_SHARE, kappa=probability, prefixes=alone),
    )

"""Gamblers for tests of the bets alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.betting.capital import Capital
from audit.betting.gambler import Gambler
from audit.betting.portfolios import Portfolios, Role
from audit.betting.schedule import Schedule
from audit.sampling.pair_draws import PairDraws


def gambler_of(
    sampler: Any,
    capital: Capital,
    pairs: Sequence[PairDraws],
    schedule: Schedule | None = None,
    beside: dict[Role, Capital] | None = None,
) -> Gambler:
    """A gambler with this capital against the claim, and that of other roles beside."""
    portfolios = Portfolios({Role.CLAIM: capital, **(beside or {})})
    return Gambler(sampler, portfolios, pairs, schedule or Schedule())

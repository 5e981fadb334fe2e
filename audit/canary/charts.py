"""Charts of an audit of canaries: right guesses, and lower bounds, as canaries are opened."""

from __future__ import annotations

from audit.canary.result import CanaryResult
from audit.canary.sentences import telling_rows
from audit.report.axes import Axes, Linear, Logarithmic, legend
from audit.report.formatting import at_least
from audit.report.svg import Drawing, Drawn, line

_WIDTH, _TOP, _BOTTOM, _FOOT = 720.0, 44.0, 212.0, 254.0
_LOWEST = 0.4
_HEADROOM = 1.08
_ACROSS = "guesses opened, the most confident first"


def share_chart(result: CanaryResult) -> Drawing:
    """Chart of the share of right guesses so far, and of the share that the claim allows."""
    axes = _axes(result, Linear(_LOWEST, 1.0))
    rows = telling_rows(result)
    limits = [(row.guesses, row.allowed / row.guesses) for row in rows if row.allowed is not None]
    keys = (("shown", "right, all guesses"), ("p", "right, by prefix"), ("limit", "allowed"))
    parts = (
        *axes.frame(_ACROSS, "share of the guesses that is right"),
        axes.trace("", [(opened, right / opened) for opened, right in result.opened]),
        *(_limit(axes, guesses, share) for guesses, share in limits),
        *axes.marks("p", [(row.guesses, row.correct / row.guesses) for row in rows]),
        *legend(keys, axes.left + 260.0, 12.0),
    )
    return Drawing("right guesses, and what the claim allows", _WIDTH, _FOOT, parts)


def _limit(axes: Axes, guesses: float, share: float) -> Drawn:
    across, height = axes.place(guesses, share)
    return line("limit", (across - 9.0, height), (across + 9.0, height))


def bound_chart(result: CanaryResult) -> Drawing:
    """Chart of the bound of each prefix by itself, with the claim and the lower bound."""
    bound, claimed = result.levels[result.claim.bound], result.claim.stated(result.claim.level)
    bounds = [(row.guesses, row.bound) for row in telling_rows(result)]
    symbol = result.claim.symbol
    highest = max([bound, claimed, 1e-3, *(each for _, each in bounds)])
    axes = _axes(result, Linear(0.0, _HEADROOM * highest))
    parts = (
        *axes.frame(_ACROSS, f"lower bound on {symbol}, prefix by prefix"),
        axes.trace("", bounds),
        *axes.marks("p", bounds),
        *axes.level("limit", claimed, f"claimed {symbol} = {claimed:g}"),
        *axes.level("mark", bound, f"at least {symbol} = {at_least(bound)}"),
    )
    return Drawing("the lower bound as canaries are opened", _WIDTH, _FOOT, parts)


def _axes(result: CanaryResult, up: Linear) -> Axes:
    sizes = [row.guesses for row in result.prefixes]
    most = max([2, *sizes, *(opened for opened, _ in result.opened)])
    return Axes(Logarithmic(1.0, most), up, _TOP, _BOTTOM)

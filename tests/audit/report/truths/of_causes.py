"""Likely causes and advice: their numbers, and whether the cause is the true one."""

from __future__ import annotations

import math
import re

from scipy.optimize import brentq

from audit.report.formatting import read

from ..known_truth import MECHANISMS, Watched, profile
from .rule import says

_TRUE_SCALE = {"close": 0.9, "gaussian": 1.0}
_CLOSE = 0.15
"""By how much an estimate from some hundred runs is off."""


def _caused(seen: Watched, cause: str) -> None:
    assert MECHANISMS[seen.name].cause == cause


@says(
    r"Likely cause: One of few discrete outputs is too likely\. The output is 1 with probability "
    r"(?P<p>\S+)% on \[1\] and (?P<q>\S+)% on \[\]\. Their ratio is (?P<odds>\S+); ε = 1 allows "
    r"2\.72"
)
def _odds(found: re.Match[str], seen: Watched) -> None:
    _caused(seen, "wrong-probability")
    law = MECHANISMS[seen.name].law
    assert law is not None
    for name, total in (("p", 1.0), ("q", 0.0)):
        assert math.isclose(read(found[name]) / 100, 1.0 - law(total)(0.5), abs_tol=0.03)
    odds = read(found["p"]) / read(found["q"])
    assert math.isclose(read(found["odds"]), odds, rel_tol=0.01)


@says(
    r"To fix: Divide the log of the ratio of both probabilities by (?P<factor>\S+) or more\. "
    r"If noisy .*"
)
def _divided(found: re.Match[str], seen: Watched) -> None:
    _caused(seen, "wrong-probability")
    true = MECHANISMS[seen.name].levels["epsilon_lower"] / seen.result.claim.level
    assert math.isclose(read(found["factor"]), true, rel_tol=_CLOSE)


@says(
    r"Likely cause: The noise of the output is too small for the sensitivity\. It is "
    r"(?P<family>Gaussian|Laplace) with (?:σ|scale) (?P<scale>\S+), and one record moves the "
    r"output by (?:about )?(?P<shift>\S+) \(\[1\] and \[\](?:, estimated from \S+ runs each)?\)"
)
def _too_small(found: re.Match[str], seen: Watched) -> None:
    _caused(seen, "noise-too-small")
    assert (found["family"] == "Laplace") == (seen.name in ("half", "close"))
    scale = _TRUE_SCALE.get(seen.name, 0.5)
    assert math.isclose(read(found["scale"]), scale, rel_tol=_CLOSE)
    assert math.isclose(read(found["shift"]), 1.0, rel_tol=_CLOSE)


@says(
    r"To fix: Clip each value to about (?P<bound>\S+) at most, or to 1 with (?P<factor>\S+) "
    r"times the noise\. .+ needs a (?:σ|scale) of (?:about )?(?P<least>\S+) here "
    r"\((?P<formula>Δ/ε|\S+ · Δ)\)"
)
def _multiplied(found: re.Match[str], seen: Watched) -> None:
    _caused(seen, "noise-too-small")
    scale, needed = _TRUE_SCALE.get(seen.name, 0.5), _needed(seen)
    assert math.isclose(read(found["factor"]) * scale, needed, rel_tol=_CLOSE)
    assert math.isclose(read(found["bound"]) * needed, scale, rel_tol=_CLOSE)
    assert math.isclose(read(found["least"]), needed, rel_tol=_CLOSE)
    coefficient, product, _ = found["formula"].partition(" · ")
    assert bool(product) == (MECHANISMS[seen.name].claim != {"epsilon": 1.0})
    assert not product or math.isclose(read(coefficient), needed, rel_tol=_CLOSE)


def _needed(seen: Watched) -> float:
    """The scale that the claim needs; 1 for all but the one with a delta, as sensitivity is 1."""
    claim = MECHANISMS[seen.name].claim
    if "delta" not in claim:
        return 1.0
    return float(brentq(lambda s: profile(1.0 / s)(claim["epsilon"]) - claim["delta"], 0.5, 9.0))


@says(
    r"Likely cause: The noise of the output is Gaussian\. Its σ is (?P<sigma>\S+), and one record "
    r"moves the output by (?P<shift>\S+)\. Farther than (?P<beyond>\S+) from the midpoint the loss "
    r"exceeds ε = 1|To fix: State a δ, or use Laplace noise of scale Δ/ε, here about (?P<scale>\S+)"
)
def _shape(found: re.Match[str], seen: Watched) -> None:
    """The loss at a distance x from the midpoint is x Δ/σ², with Δ = σ = 1."""
    _caused(seen, "wrong-noise-shape")
    if found["scale"] is not None:
        assert math.isclose(read(found["scale"]), 1.0, rel_tol=_CLOSE)
        return
    sigma, shift, beyond = (read(found[name]) for name in ("sigma", "shift", "beyond"))
    assert math.isclose(sigma, 1.0, rel_tol=_CLOSE) and math.isclose(shift, 1.0, rel_tol=_CLOSE)
    assert math.isclose(beyond, sigma**2 / shift, rel_tol=0.02)


@says(
    r"Likely cause: The output has no noise\. It is 1 in all runs on \[1\] and 0 in all runs on "
    r"\[\]|To fix: Add fresh noise for the sensitivity of the output\. Noise with a fixed "
    r"seed, or memoized in a cache or a file, is always the same"
)
def _no_noise(found: re.Match[str], seen: Watched) -> None:
    _caused(seen, "no-noise")


@says(
    r"Likely cause: Low-order bits of the output reveal the data(?: \(ε ≥ (?P<lower>\S+) if all "
    r"digits are released\))?: .+|To fix: Release only rounded numbers: the claim itself was not "
    r"refuted\. Else use discrete noise"
)
def _low_bits(found: re.Match[str], seen: Watched) -> None:
    """The size is compared with the truth where the leak is."""
    _caused(seen, "low-entropy-floats")
    (leak,) = seen.result.leaks
    if found["lower"] is not None:
        assert leak.epsilon_lower is not None
        assert read(found["lower"]) <= leak.epsilon_lower < 1.01 * read(found["lower"])


@says(
    r"Likely cause: The structure of the output depends on the data\. The entry \['rare'\] appears "
    r"in all of the runs on \[1\] and in none of those on \[\]|To fix: Fix keys, length, order and "
    r"types of the output in advance\. Or release a key only above a threshold that δ pays for"
)
def _structure(found: re.Match[str], seen: Watched) -> None:
    """The key is there for a record alone."""
    _caused(seen, "data-dependent-structure")


@says(
    r"Likely cause: Failures depend on the data\. The mechanism raises ValueError: no records "
    r"wanted at known_truth\.py:\d+ in _raises in all of the runs on \[1\] and in none of those on "
    r"\[\]|To fix: Return a noisy default for every input, also for \[1\]"
)
def _failure(found: re.Match[str], seen: Watched) -> None:
    """It raises for a record alone."""
    _caused(seen, "data-dependent-failure")

"""Privacy claims: their lines and divergences, and the kinds that are known by name."""

from audit.claims.divergence import GaussianDP, RenyiDP, ZeroConcentratedDP
from audit.claims.interface import (
    EPSILON_BOUND,
    LARGEST_EPSILON,
    Claim,
    Divergences,
    Lines,
    register_claim,
)
from audit.claims.kinds import ALIKE, ApproxDP, PureDP, check_claim, claim_from
from audit.claims.profile import ProfileDP

__all__ = [
    "ALIKE",
    "EPSILON_BOUND",
    "LARGEST_EPSILON",
    "ApproxDP",
    "Claim",
    "Divergences",
    "GaussianDP",
    "Lines",
    "ProfileDP",
    "PureDP",
    "RenyiDP",
    "ZeroConcentratedDP",
    "check_claim",
    "claim_from",
    "register_claim",
]

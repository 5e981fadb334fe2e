"""Privacy claims: their lines and divergences, and the kinds that are known by name."""

from audit.claims.divergence import ZCDP, GaussianDP, RenyiDP
from audit.claims.interface import (
    EPSILON_BOUND,
    LARGEST_EPSILON,
    Claim,
    Divergences,
    Lines,
    register_claim,
)
from audit.claims.kinds import ALIKE, DP, ApproxDP, PureDP, check_claim, claim_from
from audit.claims.profile import ProfileDP, profile_claim

__all__ = [
    "ALIKE",
    "DP",
    "EPSILON_BOUND",
    "LARGEST_EPSILON",
    "ZCDP",
    "ApproxDP",
    "Claim",
    "Divergences",
    "GaussianDP",
    "Lines",
    "ProfileDP",
    "PureDP",
    "RenyiDP",
    "check_claim",
    "claim_from",
    "profile_claim",
    "register_claim",
]

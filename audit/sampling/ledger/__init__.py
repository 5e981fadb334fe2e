"""A file that remembers every audit of a target, so that its level holds for all of them."""

from audit.sampling.ledger.entry import Standing, Together
from audit.sampling.ledger.keeping import Ledger, check_kept

__all__ = ["Ledger", "Standing", "Together", "check_kept"]

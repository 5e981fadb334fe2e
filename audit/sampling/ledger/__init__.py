"""A file that remembers every audit of a target, so that its level holds for all of them."""

from audit.sampling.ledger.keeping import Ledger, Standing, check_kept

__all__ = ["Ledger", "Standing", "check_kept"]

"""Tables of synthetic mechanisms with known truth."""

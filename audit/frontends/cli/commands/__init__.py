"""Commands of `audit`, one per file."""

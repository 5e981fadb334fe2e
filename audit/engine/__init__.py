"""One audit from a case to its result, and `audit.run`."""

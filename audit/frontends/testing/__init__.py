"""Audits inside pytest: the assertion, its options and what is said of it."""

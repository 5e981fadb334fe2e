"""Mutants of the wealth that must be caught by a named test."""

"""Sums and means of clamped records, and how they compose."""

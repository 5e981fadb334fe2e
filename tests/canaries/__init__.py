"""Audits of canaries against known truth: level, bounds, and pairs beside canaries."""

"""Selections: the largest score, a quantile, queries above a threshold."""

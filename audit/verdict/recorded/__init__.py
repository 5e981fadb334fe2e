"""Outputs that were recorded elsewhere."""

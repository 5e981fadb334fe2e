"""Mechanisms with known truth: those that keep their claim, those that break it, and traps."""

"""Renderings of a noisy count that expose the true count, or only seem to."""

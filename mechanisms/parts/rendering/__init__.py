"""A noisy count, shown in ways that tell more than the count, or only seem to."""

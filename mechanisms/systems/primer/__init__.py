"""Statistics of numbers in [-1, 1] as a primer on differential privacy builds them."""

"""Daily totals with noise in three places, and the benchmark that compares them."""

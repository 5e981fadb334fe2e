"""Report noisy max: the largest of several scores, and what may be released with it."""

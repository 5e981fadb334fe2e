"""Report noisy max: which of several scores is largest, and what may be told beside it."""

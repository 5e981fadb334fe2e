"""The folder reports/: one command makes it, and one check repeats a sample of it."""

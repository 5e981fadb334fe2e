"""Counts: noisy answers, histograms, and keys that nobody listed beforehand."""

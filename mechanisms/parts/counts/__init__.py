"""Counts: noisy answers, histograms, and keys that are not listed beforehand."""

"""Exact tests of runs whose number was fixed before."""

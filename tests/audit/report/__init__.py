"""Tests of how results are shown."""

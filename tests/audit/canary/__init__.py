"""Tests of canaries."""

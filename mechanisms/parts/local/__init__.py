"""Mechanisms in which every person randomizes an answer of their own."""

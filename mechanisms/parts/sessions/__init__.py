"""Mechanisms that are asked one question after the other."""

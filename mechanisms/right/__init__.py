"""Mechanisms that keep their claim: positive controls, and traps that only look wrong."""

"""Mechanisms that break their claim: negative controls, each with its worst neighbors."""

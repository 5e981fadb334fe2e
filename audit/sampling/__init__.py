"""Draws: addressed, coupled where that is safe, counted, kept."""

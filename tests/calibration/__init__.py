"""How often correct mechanisms are flagged, and how often lower bounds are too high."""

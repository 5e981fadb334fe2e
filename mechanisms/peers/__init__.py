"""The mechanisms on which other auditing tools were evaluated."""

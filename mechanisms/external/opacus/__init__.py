"""Opacus (Meta) under audit; `entries` lists its calls."""

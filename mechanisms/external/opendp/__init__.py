"""OpenDP under audit; `entries` lists its calls."""

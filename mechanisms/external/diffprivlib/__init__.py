"""diffprivlib (IBM) under audit; `entries` lists its calls."""

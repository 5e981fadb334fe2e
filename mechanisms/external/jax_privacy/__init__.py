"""jax_privacy (Google DeepMind) under audit; `entries` lists its calls."""

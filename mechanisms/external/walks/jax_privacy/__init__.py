"""jax_privacy walked: clipping, noise by matrices, and how batches are selected."""

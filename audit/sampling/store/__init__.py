"""Finished batches on disk, so that an audit can go on where it stopped."""

from audit.sampling.store.memory import Memory, memory_of

__all__ = ["Memory", "memory_of"]

"""Finished batches on disk."""

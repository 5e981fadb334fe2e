"""Who draws batches: this process, others, other machines."""

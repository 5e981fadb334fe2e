"""PipelineDP walked: metrics, bounds, caps, options and ways to select partitions."""

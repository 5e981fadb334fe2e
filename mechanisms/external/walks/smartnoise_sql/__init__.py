"""SmartNoise SQL walked: aggregates over the options of a table, grouped or not."""

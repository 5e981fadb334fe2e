"""The report as one page that works without a network, on paper and in a notebook."""

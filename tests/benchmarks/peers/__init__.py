"""Peers and this tool on the same machine: figures for reports/studies/performance.md."""

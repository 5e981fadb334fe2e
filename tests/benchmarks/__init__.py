"""What audits cost and how far they see; figures for reports/studies/performance.md."""

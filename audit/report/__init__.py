"""Reports on a result: text, Markdown, figures."""

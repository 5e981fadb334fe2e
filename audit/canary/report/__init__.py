"""Reports on an audit of canaries: text, Markdown, figures."""

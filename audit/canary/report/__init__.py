"""How an audit of canaries is shown: on the terminal, as Markdown, as a figure."""

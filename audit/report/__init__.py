"""How a result is shown: on the terminal, as Markdown, as figures."""

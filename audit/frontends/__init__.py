"""Ways in: the command line, pytest."""

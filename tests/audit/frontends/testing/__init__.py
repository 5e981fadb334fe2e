"""The assertion and the pytest plugin."""

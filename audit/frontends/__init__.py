"""Command line and pytest plugin, and the settings of a project that both read."""

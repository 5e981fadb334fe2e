"""Looking for worse neighbors."""

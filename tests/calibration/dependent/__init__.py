"""Right mechanisms whose calls depend on each other, or may; audited by fresh instances."""

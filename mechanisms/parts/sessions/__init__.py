"""Sessions: mechanisms that answer one question after the other."""

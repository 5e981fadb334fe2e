"""Isolation of black boxes: side effects on the process, and time limits."""

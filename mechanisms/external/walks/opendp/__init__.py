"""OpenDP walked: its constructors, each at the loss that its own map reports."""

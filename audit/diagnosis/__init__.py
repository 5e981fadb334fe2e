"""Likely causes of refuted claims, and the advice that goes with them."""

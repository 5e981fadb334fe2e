"""Outputs of any kind, sorted into columns and read as features."""

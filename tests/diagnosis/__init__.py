"""Diagnoses of the catalogue's broken mechanisms, compared with their labels."""

"""Datasets as they are given: values, files, tables."""

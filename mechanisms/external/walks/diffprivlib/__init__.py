"""Walks of diffprivlib: its mechanisms, tools and models."""

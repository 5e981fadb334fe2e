"""Mechanisms under audit: five real systems, right ones, wrong ones and traps."""

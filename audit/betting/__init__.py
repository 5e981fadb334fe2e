"""Bets on events, from past draws to wealth."""

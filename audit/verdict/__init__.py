"""From what the bets came to, to a result."""

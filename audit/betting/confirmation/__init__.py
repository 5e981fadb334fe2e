"""What bets have won, won again on fresh calls."""

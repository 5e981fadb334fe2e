"""Models that are trained once: records put in by coins, guessed from what was trained."""

"""The truths that the catalogue states, against exact probabilities and draws."""

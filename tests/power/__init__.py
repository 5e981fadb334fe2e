"""How much it takes to catch what is wrong."""

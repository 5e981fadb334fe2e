"""InfTDA: counts of a hierarchy released from the top down."""

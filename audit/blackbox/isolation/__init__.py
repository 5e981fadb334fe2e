"""What a black box may do to the process around it, and for how long."""

"""Times of single parts, each measured alone, for the simulator."""

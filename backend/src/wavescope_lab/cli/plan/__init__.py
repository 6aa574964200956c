"""``wavescope plan``: the cheapest equipment for a goal."""

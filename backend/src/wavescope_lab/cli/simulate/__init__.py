"""``wavescope simulate``: experiments with models of the whole system."""

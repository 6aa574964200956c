"""Experiments as files: levels of factors, seeded trials, confidence intervals, shares of variation."""

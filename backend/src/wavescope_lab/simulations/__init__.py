"""Simulations that the page of the planner asks for: plans, and experiments; one at a time."""

"""Servers of regions that are measured beside ours, each on the same slide and at the same places."""

"""Steered push: blocks in the order in which a viewer needs them, paced to its link (spec/wire/push.md)."""

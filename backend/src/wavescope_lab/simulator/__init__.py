"""Discrete-event models of the whole system, and experiments with them (shared/spec/simulator.md)."""

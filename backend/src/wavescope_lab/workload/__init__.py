"""The pathologist workload of the Virtual Microscope papers (1998) as a pure, seeded model (decision 0013)."""

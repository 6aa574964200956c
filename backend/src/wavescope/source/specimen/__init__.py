"""The synthetic specimen: procedural stained tissue, a pure function of coordinates."""

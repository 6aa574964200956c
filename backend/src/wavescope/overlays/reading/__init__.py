"""Files of shapes that other programs write, read in pieces."""

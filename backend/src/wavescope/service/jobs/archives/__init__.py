"""ZIP archives of slide files."""

"""Which slides have an original file (ST92)."""

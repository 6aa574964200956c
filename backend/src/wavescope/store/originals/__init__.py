"""Original files: what slides were imported from, apart from the slide versions (ST90 to ST99)."""

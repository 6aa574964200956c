"""Live sessions and recordings in SQL."""

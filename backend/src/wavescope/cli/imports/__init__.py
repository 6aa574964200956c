"""Commands that encode slides: ``ingest``, its ``--dry-run``, ``reencode``."""

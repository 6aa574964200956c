"""Routes of the laboratory, beside those of the service."""

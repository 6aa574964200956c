"""What the service can do, without a word of HTTP."""

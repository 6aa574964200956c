"""Commands for those who run a service: its settings and its health."""

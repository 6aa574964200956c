"""Logs: loggers, what may be written into them, request ids, and the format of lines (OP50 to OP57)."""

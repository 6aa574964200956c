"""Several nodes as one service, as plain processes of one machine."""

"""The server protocols: HTTP and WebSocket connections with their bounds."""

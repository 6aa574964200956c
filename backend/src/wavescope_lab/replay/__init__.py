"""Replays a trace of the workload over HTTP and measures the answers. A client: it imports nothing of the service."""

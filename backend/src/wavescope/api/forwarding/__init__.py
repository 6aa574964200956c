"""Requests that are passed on to another service: by an edge to its origin, by a node of a cluster to another node."""

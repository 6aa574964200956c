"""A cluster on one machine, as plain processes on loopback: for trying it out and for tests (shared/spec/cluster.md)."""

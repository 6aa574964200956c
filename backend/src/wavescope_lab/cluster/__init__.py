"""A cluster on one machine, as plain processes on loopback: to try it out, and for tests (`shared/spec/cluster.md`)."""

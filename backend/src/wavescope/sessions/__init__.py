"""The live session (shared/spec/session.md): pure values, messages and rules. No SQL, no HTTP, no sockets, no clock."""

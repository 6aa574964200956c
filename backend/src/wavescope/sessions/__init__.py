"""The live session (shared/spec/session.md): pure values, messages and rules. It knows no SQL, no HTTP, no sockets and no clock."""

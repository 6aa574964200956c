"""The live session (shared/spec/session.md): pure values, messages and rules, without SQL, HTTP, sockets or clock."""

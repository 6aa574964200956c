"""Live sessions as a service: rooms in memory, kept in the catalog (shared/spec/session.md). No HTTP words in here."""

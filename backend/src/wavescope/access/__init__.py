"""Who may do what (shared/spec/access.md): pure values and one table. It knows no SQL and no HTTP."""

"""Who may do what: gates, accounts, sign-in, sharing, grants, the audit log."""

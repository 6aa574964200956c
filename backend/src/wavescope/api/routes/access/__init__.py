"""Routes of accounts, sign-in, sharing, grants and the audit log."""

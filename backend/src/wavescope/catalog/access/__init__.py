"""Accounts, tokens, links, sharing, signing keys and the audit log in SQL."""

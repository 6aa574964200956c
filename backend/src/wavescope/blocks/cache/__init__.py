"""Cached bytes of slide versions: policies, and what they decide about in memory and on disk."""

"""Learning platforms, launches from them, and scores that go back (shared/spec/lti.md)."""

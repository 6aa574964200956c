"""Messages of LTI 1.3 between this service and a learning platform, as pure functions (shared/spec/lti.md)."""

"""The service as a tool of learning platforms: launches, deep links, scores (shared/spec/lti.md)."""

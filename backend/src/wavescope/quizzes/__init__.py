"""Quizzes: marking and the paper that a person sees, as pure functions (shared/spec/quizzes.md)."""

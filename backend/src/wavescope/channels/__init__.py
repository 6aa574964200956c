"""Channels of a slide: what describes them, and the picture that several of them make."""

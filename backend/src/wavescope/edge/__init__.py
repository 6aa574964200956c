"""A caching service near its users, in front of one or several services that hold the slides (ED rules)."""

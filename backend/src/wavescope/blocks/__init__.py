"""BlockSource, the joint that everything turns on, and its wrappers."""

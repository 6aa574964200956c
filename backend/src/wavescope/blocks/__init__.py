"""BlockSource, the joint that every deployment is composed of, its implementations and its wrappers."""

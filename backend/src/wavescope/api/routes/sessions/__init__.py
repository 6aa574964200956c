"""Routes of live sessions and their recordings."""

"""Where requests and parts go, as pure functions over plain state: consistent hashes, and the loads of nodes."""

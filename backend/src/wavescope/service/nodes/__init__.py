"""The nodes of a cluster: which are alive, and announcements between them. HTTP-free."""

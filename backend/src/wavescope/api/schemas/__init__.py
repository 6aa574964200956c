"""What requests and answers look like, by resource."""

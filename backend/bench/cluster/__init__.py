"""What the bench of request distribution is made of."""

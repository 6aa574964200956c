"""Request distribution as pure functions over plain state."""

"""Which tissue of one slide belongs to which of another (spec/registration.md): pure, over two small pictures."""

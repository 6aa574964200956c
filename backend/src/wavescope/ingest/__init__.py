"""From a slide source to a published slide version."""

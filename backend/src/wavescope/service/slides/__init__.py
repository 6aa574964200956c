"""Slides and what belongs to them: versions, pixels, annotations, cases, tours, the trash."""

"""Slides and what belongs to them: versions, annotations, cases, tours, the trash."""

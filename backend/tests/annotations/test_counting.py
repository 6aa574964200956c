"""The vectors of counting are the specimen's cells."""

from __future__ import annotations

import json

from annotations.counting import FILE, vectors


def test_the_vectors_of_counting_are_the_cells_of_the_specimen_and_the_pixels_of_the_regions_an34() -> None:
    assert json.loads(FILE.read_text()) == vectors()
    assert len(vectors()["cells"]) > 500

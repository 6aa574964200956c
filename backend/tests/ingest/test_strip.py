"""What an ingest looks at before it encodes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from wavescope.geometry import Pyramid
from wavescope.ingest.quality.sampling import sample_of
from wavescope.source.base import Pixels


def test_st57_the_codec_is_chosen_from_25_pieces_of_the_middle_plane() -> None:
    read: list[tuple[int, int, int, int, int]] = []

    def read_region(plane: int, x: int, y: int, width: int, height: int) -> Pixels:
        read.append((plane, x, y, width, height))
        return np.full((height, width, 3), len(read), np.uint8)

    source = cast(Any, SimpleNamespace(read_region=read_region))
    made = sample_of(source, Pyramid(5256, 2256), 7)
    sample = made.image
    assert sample.shape == (5 * 256, 5 * 256, 3)
    columns, rows = [500, 1500, 2500, 3500, 4500], [200, 600, 1000, 1400, 1800]
    assert read == [(3, x, y, 256, 256) for y in rows for x in columns]
    assert [sample[128 + 256 * (n // 5), 128 + 256 * (n % 5), 0] for n in range(25)] == list(range(1, 26))

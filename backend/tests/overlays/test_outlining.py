"""Outlines of label masks (OV60): what is drawn from them is the mask, byte for byte."""

from __future__ import annotations

import numpy as np
import pytest
from skimage import measure

from wavescope.errors import TooLarge
from wavescope.overlays import outlining
from wavescope.overlays.outlining import Outliner, Outlines
from wavescope.overlays.shapes import doubled_areas


def outlined(mask: np.ndarray, steps: list[int]) -> list[Outlines]:
    outliner, found, at = Outliner(mask.shape[1]), [], 0
    for step in steps:
        found.append(outliner.add(mask[at : at + step]))
        at += step
    return [*found, outliner.add(mask[at:]), outliner.end()]


def drawn(parts: list[Outlines], shape: tuple[int, int]) -> np.ndarray:
    """Pixels whose middle lies inside an odd number of rings of an area, one area after the other."""
    whole = np.zeros(shape, np.int64)
    for part in parts:
        starts = np.concatenate([[0], part.ring_ends])
        firsts = np.concatenate([[0], part.shape_ends])
        for n, value in enumerate(part.labels.tolist()):
            inside = np.zeros(shape, bool)
            for r in range(firsts[n], firsts[n + 1]):
                ring = part.corners[starts[r] : starts[r + 1]].astype(int)
                for (x, y), (to_x, to_y) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
                    if x == to_x:
                        inside[min(y, to_y) : max(y, to_y), x:] ^= True
            assert not whole[inside].any()
            whole[inside] = value
    return whole


def components(mask: np.ndarray) -> int:
    """How many areas of equal numbers that are not 0 a mask has."""
    return int(measure.label(mask, connectivity=1, background=0).max())  # type: ignore[no-untyped-call]


def masks() -> list[np.ndarray]:
    rng = np.random.default_rng(2)
    noise = [rng.integers(0, kinds, (37, 41)) for kinds in (2, 3, 6)]
    blocks = np.kron(rng.integers(0, 5, (9, 8)), np.ones((5, 4), int))
    rings = np.zeros((24, 24), int)
    for n, value in enumerate((1, 0, 1, 2, 1)):  # areas within holes of areas
        rings[2 * n : 24 - 2 * n, 2 * n : 24 - 2 * n] = value
    diagonal = np.eye(9, dtype=int) * 7
    return [*noise, blocks, rings, diagonal, np.ones((3, 5), int), np.zeros((4, 4), int), np.full((1, 1), 65535)]


@pytest.mark.parametrize("number", range(len(masks())))
@pytest.mark.parametrize("step", [0, 1, 3, 16])
def test_outlines_draw_the_mask_whatever_rows_arrive_together_ov60(number: int, step: int) -> None:
    mask = masks()[number]
    parts = outlined(mask, [step] * (len(mask) // step if step else 0))
    assert np.array_equal(drawn(parts, mask.shape), mask)
    expected = components(mask)
    assert sum(len(part.labels) for part in parts) == expected


def test_an_area_has_its_outer_ring_first_and_corners_only_where_it_turns_ov60() -> None:
    for found in outlined(masks()[4], []):
        areas = doubled_areas((4 * found.corners).astype(np.int32), found.ring_ends)
        firsts = np.concatenate([[0], found.shape_ends])[:-1]
        assert (areas[firsts] > 0).all()
        assert (np.diff(found.ring_ends, prepend=0) == 4).all()


def test_an_area_is_ready_after_its_last_row_ov60() -> None:
    outliner = Outliner(6)
    mask = np.zeros((6, 6), int)
    mask[1:3, 1:3] = 4
    assert [len(outliner.add(row[None]).labels) for row in mask] == [0, 0, 0, 1, 0, 0]
    assert len(outliner.end().labels) == 0


def test_numbers_below_zero_are_no_labels_ov60() -> None:
    outliner = Outliner(2)
    outliner.add(np.array([[-5, 3]], np.int32))
    assert outliner.end().labels.tolist() == [3]


def test_a_mask_of_noise_is_refused_before_it_is_outlined_ov60(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlining, "MAX_EDGES", 100)
    with pytest.raises(TooLarge, match="outlines"):
        Outliner(40).add(np.indices((4, 40)).sum(axis=0) % 2)

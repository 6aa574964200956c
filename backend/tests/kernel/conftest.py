"""Pictures and vectors for the kernel's tests."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from wavescope.geometry import TILE

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "shared/vectors/codestream"


@dataclass(frozen=True)
class Vector:
    """One pinned case: parameter sets and all layers of an image's pyramid, and what they decode to."""

    entry: dict[str, Any]
    approximation: tuple[bytes, ...]
    blocks: dict[tuple[int, int, int], tuple[bytes, ...]]
    parameters: tuple[bytes, ...]  # per level; the last one of the approximation


@cache
def vectors() -> dict[str, Vector]:
    """All cases by name."""
    return {entry["name"]: _read(entry) for entry in json.loads((VECTORS / "vectors.json").read_text())["cases"]}


def _read(entry: dict[str, Any]) -> Vector:
    data, at = (VECTORS / f"{entry['name']}.bin").read_bytes(), 0

    def cut(lengths: list[int]) -> tuple[bytes, ...]:
        nonlocal at
        starts = [at := at + length for length in lengths]
        return tuple(data[end - length : end] for end, length in zip(starts, lengths, strict=True))

    approximation = cut(entry["approximation"])
    blocks = {(b["level"], b["x"], b["y"]): cut(b["layers"]) for b in entry["blocks"]}
    assert at == len(data)
    return Vector(entry, approximation, blocks, tuple(bytes.fromhex(each) for each in entry["parameters"]))


@pytest.fixture(scope="session")
def tissue() -> NDArray[np.uint8]:
    """Real stained tissue that comes with scikit-image, RGB: one tile."""
    from skimage.data import immunohistochemistry

    return np.asarray(immunohistochemistry())[128 : 128 + TILE, 128 : 128 + TILE]  # type: ignore[no-untyped-call]


@pytest.fixture(scope="session")
def crop() -> NDArray[np.uint8]:
    """The clean H&E crop of the shared data, 2048 x 2048."""
    folder = Path(os.environ.get("WAVESCOPE_TEST_DATA") or ROOT.parent / "shared/data")
    path = folder / "minerva_CRC01_HE_box2_crop2048_c.png"
    if not path.is_file():
        reason = f"{path.name} is not in {folder.name}/ (WAVESCOPE_TEST_DATA names another folder)"
        if os.environ.get("WAVESCOPE_REQUIRE_DATA") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return np.asarray(Image.open(path))

"""Real slides, where they are present."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3].parent / "shared" / "data"


@pytest.fixture
def real() -> Callable[[str], Path]:
    """The path of a real slide; skips (or fails, where the data is required) if it is absent."""
    folder = Path(os.environ.get("WAVESCOPE_TEST_DATA", BESIDE))

    def find(name: str) -> Path:
        if not (folder / name).exists():
            reason = f"the real slide {name} is not in {folder}"
            if os.environ.get("WAVESCOPE_REQUIRE_DATA") == "1":
                pytest.fail(reason)
            pytest.skip(reason)
        return folder / name

    return find

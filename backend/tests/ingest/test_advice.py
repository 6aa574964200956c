"""What an ingest would take is judged by a bounded number of samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from wavescope.ingest.advice import advise
from wavescope.kernel.wasm import Instance
from wavescope.source.open import open_specimen


@pytest.mark.parametrize("size", ["5000x4100", "60000x40000"])
def test_wi51_no_more_than_nine_places_are_encoded_of_each_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    encoded: list[str] = []
    checked = Instance.checked

    def counted(self: Instance, function: str, *arguments: int) -> None:
        encoded.append(function)
        checked(self, function, *arguments)

    monkeypatch.setattr(Instance, "checked", counted)
    advice = advise(open_specimen(f"specimen:{size}?seed=3"), tmp_path)
    # up to four tiles at nine positions, up to four tiles above them at five
    assert 2 * (9 + 5) <= encoded.count("ws_encode") <= 2 * 4 * (9 + 5)
    assert 0 < advice.profiles["visual"].bytes < advice.profiles["lossless"].bytes < advice.raw_bytes
    assert all(expected.seconds > 0 for expected in advice.profiles.values())


@pytest.mark.parametrize("size", ["1x1", "700x1", "1025x1023"])
def test_wi51_small_slides_are_judged_too(tmp_path: Path, size: str) -> None:
    advice = advise(open_specimen(f"specimen:{size}?seed=3"), tmp_path)
    assert all(expected.bytes >= 0 for expected in advice.profiles.values())

"""What an ingest would take is judged by a bounded number of samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from wavescope.ingest.advice import advise
from wavescope.kernel.buffers import Kernel
from wavescope.source.open import open_specimen

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", ["5000x4100", "60000x40000"])
def test_wi51_no_more_than_nine_places_are_encoded_of_each_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    encoded: list[str] = []
    checked = Kernel.checked

    def counted(self: Kernel, function: str, *arguments: int) -> None:
        encoded.append(function)
        checked(self, function, *arguments)

    monkeypatch.setattr(Kernel, "checked", counted)
    advice = advise(open_specimen(f"specimen:{size}?seed=3"), tmp_path)
    # two profiles: a tile at nine positions, the tile above at five; a piece of each position in up to 26 trials
    assert encoded.count("ws_encode") <= 2 * (9 + 5) + 9 * 26
    sizes = [advice.presets[name].bytes for name in ("compact", "visual", "fine", "lossless")]
    assert 0 < sizes[0] < sizes[1] < sizes[2] < sizes[3] < advice.raw_bytes
    rising = [(one.psnr, one.bytes) for one in advice.by_psnr]
    assert rising == sorted(rising)
    assert rising[0][0] <= 33
    assert rising[-1][0] > 47
    assert all(expected.seconds > 0 for expected in advice.presets.values())


@pytest.mark.parametrize("size", ["1x1", "700x1", "1025x1023"])
def test_wi51_small_slides_are_judged_too(tmp_path: Path, size: str) -> None:
    advice = advise(open_specimen(f"specimen:{size}?seed=3"), tmp_path)
    assert all(expected.bytes >= 0 for expected in advice.presets.values())

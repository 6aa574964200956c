"""DICOMweb where the extras are not installed (IN3)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from service.protocols.test_dicom_dataset import slide_of
from service.world import World
from wavescope.errors import MissingPackage
from wavescope.service.protocols.dicom.dataset import instance_dataset
from wavescope.service.protocols.dicom.query import parse_query
from wavescope.service.protocols.dicom.transfer import encode_frame
from wavescope.source.dicom.identity import identity_of


@pytest.fixture(autouse=True)
def _no_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("imagecodecs", "pydicom"):
        monkeypatch.setitem(sys.modules, name, None)


def test_in3_metadata_searches_and_stored_files_name_their_extra(tmp_path: Path, world: World) -> None:
    slide = slide_of(world, "visual")
    for work in (lambda: instance_dataset(slide, 0), lambda: parse_query([]), lambda: identity_of(tmp_path)):
        with pytest.raises(MissingPackage, match=r"pip install 'wavescope\[dicom\]'"):
            work()


def test_in3_frames_in_jpeg_2000_name_their_extra_and_others_need_none() -> None:
    pixels = np.zeros((8, 8, 3), np.uint8)
    for coding in ("htj2k", "j2k"):
        with pytest.raises(MissingPackage, match=r"pip install 'wavescope\[tiff\]'"):
            encode_frame(coding, pixels)
    assert encode_frame("jpg", pixels)[:2] == b"\xff\xd8"
    assert len(encode_frame("raw", pixels)) == pixels.size

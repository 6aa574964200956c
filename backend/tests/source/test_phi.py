"""What a file tells of a person beside the picture (PR40)."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from source.worlds import tissue, write_svs
from wavescope.source.phi import NOTHING, identity_of
from wavescope.source.properties import ALLOWED


def test_label_and_macro_of_a_real_slide(real: Callable[[str], Path]) -> None:
    found = identity_of(real("CMU-1-Small-Region.svs"))
    assert {name: Image.open(io.BytesIO(png)).size for name, png in found.images.items()} == {
        "label": (387, 463),
        "macro": (1280, 431),
    }
    assert found.texts["aperio.Filename"] == "CMU-1"
    assert found.texts["aperio.Date"] == "12/29/09"
    assert not ALLOWED & found.texts.keys()


def test_patient_and_study_of_a_dicom_slide(real: Callable[[str], Path]) -> None:
    texts = identity_of(real("gcp_camelyon_jpeg2000.dcm")).texts
    for keyword in ("PatientName", "PatientID", "PatientBirthDate", "AccessionNumber", "ContainerIdentifier"):
        assert texts[f"dicom.{keyword}"]
    assert "dicom.Manufacturer" not in texts


def test_the_description_of_a_tiff_and_the_words_in_a_picture(tmp_path: Path) -> None:
    svs = identity_of(write_svs(tmp_path / "a.svs", tissue(128, 128)))
    assert "tiff.ImageDescription" in svs.texts
    words = PngInfo()
    words.add_text("Comment", "someone's biopsy")
    Image.new("RGB", (8, 8)).save(tmp_path / "b.png", pnginfo=words)
    assert identity_of(tmp_path / "b.png").texts == {"Comment": "someone's biopsy"}


@pytest.mark.parametrize("content", [b"", b"II*\0\xff\xff\xff\xff", b"\0" * 128 + b"DICM\x08", b"text"])
def test_what_cannot_be_read_tells_nothing_and_fails_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    assert identity_of(tmp_path / "x") == NOTHING
    assert identity_of(tmp_path / "absent") == NOTHING

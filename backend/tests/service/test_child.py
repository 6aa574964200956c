"""What a child process does with its order, without the process."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from wavescope.catalog.catalog import Catalog
from wavescope.service.jobs import child

Captured = pytest.CaptureFixture[str]


def claiming(width: int, height: int) -> bytes:
    """A PNG that says it is this large and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


@pytest.fixture
def png(tmp_path: Path) -> Path:
    path = tmp_path / "My Slide.png"
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (300, 400, 3), np.uint8)).save(path)
    return path


def answer_of(captured: Captured, path: Path, store: Path, **options: str) -> dict[str, Any]:
    """The child's last word."""
    assert child.main({"path": str(path), "store": str(store), "catalog": "", "options": options}) == 0
    last: dict[str, Any] = json.loads(captured.readouterr().out.splitlines()[-1])
    return last


def test_a_second_upload_of_a_name_gets_an_id_of_its_own_and_a_given_id_a_new_version(
    png: Path, tmp_path: Path, capsys: Captured
) -> None:
    store = tmp_path / "store"
    assert answer_of(capsys, png, store) == {"slide_id": "my-slide"}
    assert answer_of(capsys, png, store, title="T") == {"slide_id": "my-slide-2"}
    assert answer_of(capsys, png, store, id="my-slide", quality="lossless") == {"slide_id": "my-slide"}
    catalog = Catalog.open(store)
    assert len(catalog.versions("my-slide").served) == 2
    assert (catalog.get("my-slide").title, catalog.get("my-slide-2").title) == ("My Slide", "T")
    catalog.close()


@pytest.mark.slow
def test_an_id_taken_meanwhile_makes_it_look_for_another(
    png: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_of(capsys, png, tmp_path / "store")
    found = iter(["my-slide", "my-slide", "other"])
    monkeypatch.setattr(Catalog, "free_id", lambda *_, **__: next(found))
    assert answer_of(capsys, png, tmp_path / "store") == {"slide_id": "other"}


HOSTILE = {
    "text": (b"hello, this is no slide", "UnsupportedSource"),
    "a cut PNG": (claiming(100, 100)[:60], "UnreadableSource"),
    "a PNG claiming to be 100,000 x 100,000": (claiming(100_000, 100_000), "UnreadableSource"),
    "the head of a TIFF": (b"II*\0\x08\0\0\0", "UnreadableSource"),
    "a TIFF whose directory points at itself": (b"II*\0\x08\0\0\0\0\0\x08\0\0\0", "UnreadableSource"),
}


@pytest.mark.parametrize(("content", "cause"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_fails_with_a_reason(content: bytes, cause: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "slide.svs"
    path.write_bytes(content)
    answer = answer_of(capsys, path, tmp_path / "store")
    assert answer["cause"] == cause
    assert answer["detail"].startswith("slide.svs: ")
    assert len(answer["detail"]) > 25


def test_a_mistake_in_the_code_ends_the_job_with_a_word(
    png: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistake(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(child, "ingest", mistake)
    assert answer_of(capsys, png, tmp_path) == {"cause": "ZeroDivisionError", "detail": "ZeroDivisionError: by zero"}


@pytest.mark.slow
def test_wi74_a_slide_that_has_another_version_by_now_is_not_encoded_again(
    png: Path, tmp_path: Path, capsys: Captured
) -> None:
    store = tmp_path / "store"
    answer_of(capsys, png, store, quality="lossless")
    catalog = Catalog.open(store)
    before = catalog.resolve("my-slide")
    order = {"id": "my-slide", "quality": "36dB", "reencodes": before}
    assert answer_of(capsys, png, store, **order) == {"slide_id": "my-slide"}
    assert catalog.resolve("my-slide") != before
    assert answer_of(capsys, png, store, **order)["cause"] == "StaleVersion"
    catalog.close()

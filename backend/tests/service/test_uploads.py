"""Receiving files: names made harmless, bounds kept, nothing left behind."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from wavescope.errors import StoreFull, TooLarge, Unavailable, UnreadableSource
from wavescope.service.jobs import uploads
from wavescope.service.jobs.uploads import receive_file, safe_name

NAMES = {
    "slide.svs": "slide.svs",
    "../../etc/passwd": "passwd",
    "C:\\data\\slide.svs": "slide.svs",
    "..": "upload",
    "": "upload",
    "a/": "upload",
    "-rf": "rf",
    ".hidden": "hidden",
    "nul\x00l\nine.tif": "nulline.tif",
    "sli:de?.png": "slide.png",
    "Gewebe Ü 3.svs": "Gewebe Ü 3.svs",
    "x" * 500 + ".svs": "x" * 177 + ".svs",
    "ü" * 300: "ü" * 90,
}


@pytest.mark.parametrize(("given", "safe"), NAMES.items())
def test_a_file_name_is_made_harmless(given: str, safe: str) -> None:
    assert safe_name(given) == safe


async def stream(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def test_the_chunks_are_written_in_order(tmp_path: Path) -> None:
    target = tmp_path / "job" / "f"
    chunks = [bytes([number]) * (400_000 + number) for number in range(7)]
    assert await receive_file(stream(*chunks), target, limit=10**7, timeout=1) == sum(map(len, chunks))
    assert target.read_bytes() == b"".join(chunks)


async def test_an_announced_size_over_the_limit_is_refused_before_a_byte_is_read(tmp_path: Path) -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("read")
        yield b""

    with pytest.raises(TooLarge):
        await receive_file(unread(), tmp_path / "job" / "f", limit=10, timeout=1, announced=11)


async def test_more_bytes_than_the_limit_are_refused_and_removed(tmp_path: Path) -> None:
    with pytest.raises(TooLarge):
        await receive_file(stream(b"x" * 6, b"x" * 6), tmp_path / "job" / "f", limit=11, timeout=1)
    assert list(tmp_path.iterdir()) == []


async def test_an_empty_file_is_refused_and_removed(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="f: the file is empty"):
        await receive_file(stream(), tmp_path / "job" / "f", limit=11, timeout=1)
    assert list(tmp_path.iterdir()) == []


async def test_a_client_that_stops_sending_is_given_up(tmp_path: Path) -> None:
    async def stalled() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.Event().wait()

    with pytest.raises(Unavailable, match="nothing came for"):
        await receive_file(stalled(), tmp_path / "job" / "f", limit=11, timeout=0.01)
    assert list(tmp_path.iterdir()) == []


async def test_a_cancelled_upload_leaves_nothing(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def stalled() -> AsyncIterator[bytes]:
        yield b"x"
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.ensure_future(receive_file(stalled(), tmp_path / "job" / "f", limit=11, timeout=60))
    await begun.wait()
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert list(tmp_path.iterdir()) == []


async def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(uploads, "_write", full)
    with pytest.raises(StoreFull):
        await receive_file(stream(b"x"), tmp_path / "job" / "f", limit=11, timeout=1)
    assert list(tmp_path.iterdir()) == []

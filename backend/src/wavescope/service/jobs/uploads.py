"""Receiving a file: streamed to disk, bounded in size and time, gone again unless it becomes a job."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import unicodedata
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from wavescope.errors import StoreFull, TooLarge, Unavailable, UnreadableSource, UnsupportedSource
from wavescope.store.durable import make_private_directory, sync_directory
from wavescope.store.private import FOLDER, close, open_new

MIN_WRITE = 1 << 20  # bytes written to disk at once, in a thread
NAME_BYTES = 180
RESUMABLE = ".resumable"  # the folder of uploads that are not complete, beside those of jobs
CheckSpace = Callable[[int], None]
"""Raises NotEnoughSpace if so many bytes do not fit."""
OUTSIDE = "it is a symbolic link that leads out of the folder"


def any_size(_needed: int) -> None:
    """Every file fits."""


@dataclass(frozen=True)
class UploadOptions:
    """The options of a job; empty: chosen by the ingest. ``channel_quality``: of a file of channels, in place of
    ``quality``. ``base``: what to make the id of. ``stored_as``: slides of the same file. ``reencodes``: the digest of
    the stored version that is encoded again, instead of a file. ``original``: "keep" or "drop" the file after the
    import; empty: as the setting says (ST90). ``time``: the time point, from 0. ``overlay_of``: the slide to which the
    file's shapes are added; then ``title`` is the name of the overlay, ``author`` who adds it, ``score``,
    ``transform`` and ``content`` are as Reading has them, and ``element`` is the part of a folder that is read.
    """

    title: str = ""
    id: str = ""
    quality: str = ""
    channel_quality: str = ""
    base: str = ""
    owner: str = ""
    stored_as: tuple[str, ...] = ()
    reencodes: str = ""
    original: str = ""
    time: int = 0
    overlay_of: str = ""
    author: str = ""
    score: str = ""
    transform: tuple[float, ...] = ()
    content: str = ""
    element: str = ""

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items() if value}


def safe_name(filename: str) -> str:
    """The last component of a file name, without anything that means something to a file system."""
    name = unicodedata.normalize("NFC", re.split(r"[/\\]", filename)[-1])
    name = "".join(char for char in name if char.isprintable() and char not in ':*?"<>|\ufffd').strip(" .")
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, suffix = name, ""
    stem = stem.encode()[: NAME_BYTES - len(suffix.encode())].decode(errors="ignore")
    return (f"{stem}.{suffix}" if suffix else stem).lstrip("-") or "upload"


async def receive_file(
    chunks: AsyncIterator[bytes],
    target: Path,
    *,
    limit: int,
    timeout: float,
    announced: int | None = None,
    check_space: CheckSpace = any_size,
) -> int:
    """Writes the chunks to ``target`` and answers how many bytes there were; removes its folder on any failure.

    ``check_space`` is called before the first byte, with the announced size, and before each write.

    Raises TooLarge, StoreFull, NotEnoughSpace, Unavailable (nothing came for ``timeout`` seconds),
    UnreadableSource (nothing at all).
    """
    if announced is not None and announced > limit:
        raise TooLarge("the upload in bytes", announced, limit)
    await asyncio.to_thread(check_space, announced or 0)
    received = 0
    try:
        make_private_directory(target.parent.parent)
        target.parent.mkdir(FOLDER)
        with open_new(target) as file:
            async for joined in joined_chunks(chunks, timeout):
                received += len(joined)
                if received > limit:
                    raise TooLarge("the upload in bytes", received, limit)
                await asyncio.to_thread(_write, file, joined, check_space)
            await asyncio.to_thread(os.fsync, file.fileno())
        for folder in (target.parent, target.parent.parent, target.parent.parent.parent):
            await asyncio.to_thread(sync_directory, folder)  # the job that is answered outlives a power failure
        if received == 0:
            raise UnreadableSource(target, "the file is empty")
        return received
    except BaseException as failure:
        await asyncio.to_thread(discard, target)
        if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise StoreFull(target.parent.parent) from failure
        raise


def move_received(file: Path, target: Path) -> None:
    """Moves a file into a folder made for it. Raises OSError."""
    make_private_directory(target.parent.parent)
    target.parent.mkdir(FOLDER)
    file.rename(target)
    for folder in (target.parent, target.parent.parent):
        sync_directory(folder)


def link_files(source: Path, files: Sequence[Path], target: Path, root: Path) -> None:
    """The source with all its files under another name, in a folder made for it: no copies where the disk is the same.

    The files lie beside ``source``, in it or in the folder named like it, and lie so to ``target``. Symbolic links are
    followed if they stay in ``root``, else they are an UnsupportedSource.
    """
    renamed = {source.name: target.name, source.stem: target.stem}
    root = root.resolve()
    try:
        make_private_directory(target.parent.parent)
        make_private_directory(target.parent)
        for file in files:
            if not lies_in(file, root):
                raise UnsupportedSource(file, OUTSIDE)
            real = file.resolve()
            first, *rest = file.relative_to(source.parent).parts
            place = target.parent.joinpath(renamed.get(first, first), *rest)
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                place.hardlink_to(real)
            except OSError:
                shutil.copyfile(real, place)
                close(place)
    except BaseException:
        discard(target)
        raise


def lies_in(path: Path, root: Path) -> bool:
    """Whether a path, its symbolic links followed, is that of something in ``root``, which has none.

    False for a link that refers to itself.
    """
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # RuntimeError: Python before 3.13 on a loop
        return False


def uploads_in(folder: Path) -> list[str]:
    """The names of the folders made for uploads: the ids of their jobs."""
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [name for name in names if name != RESUMABLE]


def discard(target: Path) -> None:
    """Removes an uploaded file with the folder made for it."""
    shutil.rmtree(target.parent, ignore_errors=True)


async def joined_chunks(chunks: AsyncIterator[bytes], timeout: float) -> AsyncIterator[bytes]:
    """The chunks joined until they are worth a write. Where they fail, what came before is yielded first.

    Raises Unavailable, and what ``chunks`` raises.
    """
    waiting = bytearray()
    source = aiter(chunks)
    failure: Exception | None = None
    while failure is None:
        try:
            waiting += await asyncio.wait_for(anext(source), timeout)
        except StopAsyncIteration:
            break
        except TimeoutError:
            failure = Unavailable("the upload", f"nothing came for {timeout:g} seconds")
        except Exception as error:
            failure = error
        if len(waiting) >= MIN_WRITE:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)
    if failure is not None:
        raise failure


def _write(file: BinaryIO, joined: bytes, check_space: CheckSpace) -> None:
    check_space(len(joined))
    file.write(joined)
    file.flush()

"""Uploads that can be resumed: what has arrived stays on disk, also through a restart (tus 1.0, WI94 to WI97)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from io import FileIO
from pathlib import Path
from typing import Any

from wavescope.config import Limits
from wavescope.errors import TooLarge, UnknownUpload, UnreadableSource, UploadBusy, UploadOffset
from wavescope.service.access.gate import Principal
from wavescope.service.jobs.duplicates import HoldPolicy, StoredSlide
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.uploads import RESUMABLE, UploadOptions, joined_chunks
from wavescope.service.nodes.marks import Marks
from wavescope.service.nodes.node import Node
from wavescope.store.durable import full_disk_reported, make_private_directory, remove_tree, write_file
from wavescope.store.private import open_new
from wavescope.store.space import StoreSpace

ID = re.compile(r"[0-9a-f]{32}(-[0-9a-f]{12})?")  # the second part names the node that has it (CL49)
CONTENT, STATE = "content", "state.json"


@dataclass(frozen=True)
class Resumable:
    """An upload. ``length``, ``offset``: bytes; ``job``, ``slide``: what it became, once it is complete."""

    id: str
    owner: str
    length: int
    filename: str
    options: Mapping[str, Any]
    hold: HoldPolicy
    offset: int = 0
    job: str | None = None
    slide: str | None = None

    @property
    def complete(self) -> bool:
        """Whether it became a job or a slide."""
        return self.job is not None or self.slide is not None


class ResumableUploads:
    """The resumable uploads of one store. One event loop."""

    def __init__(self, jobs: JobService, folder: Path, limits: Limits, node: Node | None = None) -> None:
        self._jobs, self._folder, self._limits = jobs, folder / RESUMABLE, limits
        self._marks = Marks("the upload", node)
        self._space = StoreSpace(folder.parent, limits.free_bytes, limits.low_bytes)
        self._busy: set[str] = set()

    @property
    def longest(self) -> int:
        """The bytes that an upload may have."""
        return self._limits.upload_bytes

    def elsewhere(self, upload_id: str) -> str | None:
        """The URL of the other node that has this upload; None: it is here, or nowhere any more (CL49).

        Raises Unavailable if that node does not answer now.
        """
        return self._marks.elsewhere(upload_id)

    async def create(
        self, principal: Principal, length: int, filename: str, options: UploadOptions, hold: HoldPolicy
    ) -> Resumable:
        """A new upload without bytes. Raises Forbidden, UnreadableSource, TooLarge, StoreFull, Unavailable."""
        await self._jobs.check_upload(principal, options.overlay_of)
        if length < 1:
            raise UnreadableSource(Path(filename), "the file is empty")
        if length > self._limits.upload_bytes:
            raise TooLarge("the upload in bytes", length, self._limits.upload_bytes)
        made = Resumable(self._marks.new_id(), principal.id, length, filename, options.to_json(), hold)
        with full_disk_reported(self._folder.parent):
            await asyncio.to_thread(self._create, made)
        return made

    async def get(self, principal: Principal, upload_id: str) -> Resumable:
        """Raises UnknownUpload, also of another user's."""
        return await asyncio.to_thread(self._read, principal, upload_id)

    async def append(
        self, principal: Principal, upload_id: str, offset: int, chunks: AsyncIterator[bytes]
    ) -> Resumable:
        """Adds bytes at ``offset``; the last byte makes it a job. What arrived before a failure stays.

        Raises UnknownUpload, UploadOffset, UploadBusy, TooLarge, StoreFull, NotEnoughSpace, Unavailable, and what
        ``JobService.adopt`` raises.
        """
        if upload_id in self._busy:
            raise UploadBusy(upload_id)
        self._busy.add(upload_id)
        try:
            found = await asyncio.to_thread(self._read, principal, upload_id)
            if offset != found.offset:
                raise UploadOffset(offset, found.offset)
            if not found.complete:
                found = await self._receive(found, chunks)
            if found.offset == found.length and not found.complete:
                found = await self._finish(principal, found)
            return found
        finally:
            self._busy.discard(upload_id)

    async def delete(self, principal: Principal, upload_id: str) -> None:
        """Removes an upload and its bytes, but not the job that it became. Raises UnknownUpload, UploadBusy."""
        if upload_id in self._busy:
            raise UploadBusy(upload_id)
        await asyncio.to_thread(self._read, principal, upload_id)
        await asyncio.to_thread(remove_tree, self._folder / upload_id)

    def sweep(self) -> tuple[str, ...]:
        """Removes uploads that had no byte for ``resumable_seconds``; blocking."""
        oldest, left = time.time() - self._limits.resumable_seconds, []
        for path in sorted(self._folder.iterdir()) if self._folder.is_dir() else []:
            if path.name not in self._busy and max(_changed(path), _changed(path / CONTENT)) < oldest:
                remove_tree(path)
                left.append(path.name)
        return tuple(left)

    def _create(self, made: Resumable) -> None:
        make_private_directory(self._folder.parent)
        make_private_directory(self._folder)
        waiting = sum(1 for path in self._folder.iterdir() if (path / CONTENT).exists())
        if waiting >= self._limits.resumable_uploads:
            raise TooLarge("the number of unfinished uploads", waiting + 1, self._limits.resumable_uploads)
        self._space.check(made.length)
        make_private_directory(self._folder / made.id)
        open_new(self._folder / made.id / CONTENT).close()
        self._write(made)

    def _write(self, upload: Resumable) -> None:
        write_file(self._folder / upload.id / STATE, [json.dumps(asdict(upload)).encode()], private=True)

    def _read(self, principal: Principal, upload_id: str) -> Resumable:
        if not ID.fullmatch(upload_id):
            raise UnknownUpload(upload_id)
        folder = self._folder / upload_id
        try:
            found = Resumable(**json.loads((folder / STATE).read_bytes()))
            offset = found.length if found.complete else (folder / CONTENT).stat().st_size
        except (FileNotFoundError, ValueError, TypeError) as cause:
            raise UnknownUpload(upload_id) from cause
        if found.owner != principal.id:
            raise UnknownUpload(upload_id)
        return replace(found, offset=offset)

    async def _receive(self, upload: Resumable, chunks: AsyncIterator[bytes]) -> Resumable:
        """Writes the chunks behind what is there. Raises TooLarge, StoreFull, NotEnoughSpace, Unavailable."""
        offset = upload.offset
        if offset < upload.length:
            await asyncio.to_thread(self._space.check, upload.length - offset)
        with (
            full_disk_reported(self._folder.parent),
            (self._folder / upload.id / CONTENT).open("r+b", buffering=0) as file,
        ):
            file.seek(offset)
            try:
                async for joined in joined_chunks(chunks, self._limits.upload_seconds):
                    if offset + len(joined) > upload.length:
                        raise TooLarge("the upload in bytes", offset + len(joined), upload.length)
                    await asyncio.to_thread(self._append, file, joined)
                    offset += len(joined)
            except BaseException:
                with suppress(OSError):  # the first failure is the one to report
                    await _synced(file)
                raise
            await _synced(file)
        return replace(upload, offset=offset)

    def _append(self, file: FileIO, joined: bytes) -> None:
        """Raises NotEnoughSpace, OSError; what was written before a failure stays."""
        self._space.check(len(joined))
        rest = memoryview(joined)
        while rest:
            rest = rest[file.write(rest) :]

    async def _finish(self, principal: Principal, upload: Resumable) -> Resumable:
        """Hands the file to the jobs. An upload that is refused is removed: it would be refused again."""
        path, options = self._folder / upload.id / CONTENT, UploadOptions(**upload.options)
        try:
            became = await self._jobs.adopt(principal, path, upload.filename, options, upload.hold)
        except BaseException:
            if not path.exists():  # else it waits for a service that has room for the job
                await asyncio.to_thread(remove_tree, self._folder / upload.id)
            raise
        if isinstance(became, StoredSlide):
            done = replace(upload, slide=became.slide_id)
        else:
            done = replace(upload, job=became.record.id)
        await asyncio.to_thread(self._write, done)
        return done


async def _synced(file: FileIO) -> None:
    """Returns when the file's content is on the disk, or later if it is cancelled. Raises OSError."""
    await asyncio.shield(asyncio.to_thread(os.fsync, file.fileno()))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0

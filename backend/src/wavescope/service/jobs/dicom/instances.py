"""DICOM instances of one request become jobs: one for each series (DW15 to DW18)."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import NamedTuple

from wavescope.config import Limits
from wavescope.errors import (
    SourceError,
    StoreFull,
    TooLarge,
    Unavailable,
    UnreadableSource,
    UnsupportedSource,
    WavescopeError,
)
from wavescope.service.access.gate import Principal
from wavescope.service.jobs.duplicates import StoredSlide
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.uploads import RESUMABLE, UploadOptions, joined_chunks
from wavescope.source.dicom.identity import InstanceIdentity, identity_of
from wavescope.source.dicom.library import require_pydicom
from wavescope.source.dicom.series import WHOLE_SLIDE, series_of, volumes
from wavescope.store.durable import full_disk_reported, make_private_directory, remove_tree
from wavescope.store.private import open_new
from wavescope.store.space import StoreSpace

NOT_UNDERSTOOD = 0xC000
OUT_OF_RESOURCES = 0xA700
MISMATCH = 0xA900
NO_SUCH_CLASS = 0x0122
FAILED = 0x0110
"""Reasons of failures (PS3.4 annex GG, PS3.7 annex C)."""
NOTHING = InstanceIdentity("", "", "", "")
Parts = AsyncIterator[AsyncIterator[bytes]]


class InstanceOutcome(NamedTuple):
    """What became of an instance: the job or the slide that has it, or the reason of a failure."""

    identity: InstanceIdentity
    job: str | None = None
    slide: str | None = None
    failure: int | None = None


class _Received(NamedTuple):
    path: Path
    identity: InstanceIdentity


class InstanceUploads:
    """One event loop."""

    def __init__(self, jobs: JobService, folder: Path, limits: Limits) -> None:
        self._jobs, self._folder, self._limits = jobs, folder / RESUMABLE, limits
        self._space = StoreSpace(folder.parent, limits.free_bytes, limits.low_bytes)

    async def check(self, principal: Principal) -> None:
        """Returns if an upload can become a job. Raises Forbidden, SignInRequired, Unavailable, TooLarge."""
        await self._jobs.check_upload(principal)

    async def store(
        self, principal: Principal, study: str | None, parts: Parts, announced: int | None
    ) -> list[InstanceOutcome]:
        """What became of each instance, in their order. ``study``: the UID that all must have; ``announced``: bytes of
        all parts.

        Raises Forbidden, SignInRequired, MissingPackage, Unavailable, TooLarge, StoreFull, NotEnoughSpace,
        UnreadableSource (no part at all), and what ``parts`` raises; then nothing is left.
        """
        await self.check(principal)
        await asyncio.to_thread(require_pydicom, "storing over DICOMweb")
        if announced is not None and announced > self._limits.upload_bytes:
            raise TooLarge("the upload in bytes", announced, self._limits.upload_bytes)
        await asyncio.to_thread(self._space.check, announced or 0)
        place = self._folder / f"dicom-{uuid.uuid4().hex}"
        try:
            with full_disk_reported(self._folder.parent):
                files = await self._receive(place, parts)
            return await self._become(principal, study, place, files)
        finally:
            await asyncio.shield(asyncio.to_thread(remove_tree, place))

    async def _receive(self, place: Path, parts: Parts) -> list[Path]:
        """Writes each part to a file."""
        for folder in (self._folder.parent, self._folder, place):
            await asyncio.to_thread(make_private_directory, folder)
        files, received = list[Path](), 0
        async for part in parts:
            if len(files) == self._limits.archive_files:
                raise TooLarge("the number of instances", len(files) + 1, self._limits.archive_files)
            files.append(place / f"{len(files):05}.dcm")
            with open_new(files[-1]) as file:
                async for chunk in joined_chunks(part, self._limits.upload_seconds):
                    received += len(chunk)
                    if received > self._limits.upload_bytes:
                        raise TooLarge("the upload in bytes", received, self._limits.upload_bytes)
                    await asyncio.to_thread(self._space.check, len(chunk))
                    await asyncio.to_thread(file.write, chunk)
        if not files:
            raise UnreadableSource(place, "the request has no instances")
        return files

    async def _become(
        self, principal: Principal, study: str | None, place: Path, files: list[Path]
    ) -> list[InstanceOutcome]:
        outcomes = dict[Path, InstanceOutcome]()
        series = dict[str, list[_Received]]()
        for path in files:
            outcome, one = await asyncio.to_thread(_examine, path, study)
            if outcome is not None:
                outcomes[path] = outcome
            else:
                series.setdefault(one.identity.series, []).append(one)
        for uid, members in series.items():
            outcomes |= await self._adopt(principal, place / name_of(uid), members)
        return [outcomes[path] for path in files]

    async def _adopt(self, principal: Principal, folder: Path, members: list[_Received]) -> dict[Path, InstanceOutcome]:
        """The job of a series, whose files go into a folder of their own."""

        def failed(reason: int) -> dict[Path, InstanceOutcome]:
            return {one.path: InstanceOutcome(one.identity, failure=reason) for one in members}

        try:
            await asyncio.to_thread(_gather, folder, members)
            became = await self._jobs.adopt(principal, folder, folder.name, UploadOptions(), "answer")
        except (TooLarge, StoreFull, Unavailable):
            return failed(OUT_OF_RESOURCES)
        except UnsupportedSource:
            return failed(MISMATCH)
        except SourceError:
            return failed(NOT_UNDERSTOOD)
        except WavescopeError:
            return failed(FAILED)
        if isinstance(became, StoredSlide):
            return {one.path: InstanceOutcome(one.identity, slide=became.slide_id) for one in members}
        return {one.path: InstanceOutcome(one.identity, job=became.record.id) for one in members}


def name_of(series: str) -> str:
    """What the upload of a series is called: says which one it is only to those who know its UID."""
    return f"dicom-{hashlib.sha256(series.encode()).hexdigest()[:12]}"


def _examine(path: Path, study: str | None) -> tuple[InstanceOutcome | None, _Received]:
    """Why a file cannot be part of a slide; None if it may be."""
    try:
        identity = identity_of(path)
    except SourceError:
        return InstanceOutcome(NOTHING, failure=NOT_UNDERSTOOD), _Received(path, NOTHING)
    received = _Received(path, identity)
    if identity.sop_class != WHOLE_SLIDE:
        return InstanceOutcome(identity, failure=NO_SUCH_CLASS), received
    if not all(identity) or (study is not None and identity.study != study):
        return InstanceOutcome(identity, failure=MISMATCH), received
    return None, received


def _gather(folder: Path, members: Iterable[_Received]) -> None:
    """Moves the files of a series into its folder, each instance once. Raises SourceError."""
    make_private_directory(folder)
    seen = set[str]()
    for path, identity in members:
        if identity.sop_instance not in seen:
            seen.add(identity.sop_instance)
            path.rename(folder / path.name)
    if not volumes(series_of(folder).instances):
        raise UnsupportedSource(folder, "a series without a picture of the slide itself")

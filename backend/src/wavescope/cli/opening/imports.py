"""Where the page of a file is: of the slide that was made of it, or of the import that makes one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import JobRecord
from wavescope.cli.output import print_stderr
from wavescope.errors import SourceError
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.source.files import source_files, source_size
from wavescope.source.open import fingerprint


class FileToOpen(NamedTuple):
    """A file to be opened, by its absolute path, and the fingerprint of its content."""

    file: Path
    fingerprint: str


def wanted(file: Path) -> FileToOpen:
    """Raises UnreadableSource, UnsupportedSource, MissingPackage."""
    path = file.absolute()
    return FileToOpen(path, fingerprint(path))


def slide_page(slide_id: str) -> str:
    """The path of a slide's page."""
    return f"/slides/{quote(slide_id, safe='')}"


def stored_page(catalog: Catalog, one: FileToOpen) -> str | None:
    """The page of the newest slide that was made of the file; None if there is none (IN13)."""
    found = catalog.slides_of_source(one.fingerprint)
    return slide_page(found[0]) if found else None


async def page_of(catalog: Catalog, jobs: JobService, one: FileToOpen, quality: str) -> tuple[str, str | None]:
    """The page of a file, and the id of the import that it shows: of one that has not ended, or of a new one (IN12).

    Raises Unavailable, TooLarge, OSError, SourceError.
    """
    stored = await asyncio.to_thread(stored_page, catalog, one)
    if stored is not None:
        return stored, None
    job_id = await _unfinished(jobs, one)
    if job_id is None:
        files = await asyncio.to_thread(source_files, one.file)
        options = UploadOptions(quality=quality)
        job_id = (await jobs.ingest_files(one.file, files, Path(one.file.anchor), options)).record.id
    return f"/incoming/{job_id}", job_id


async def _unfinished(jobs: JobService, one: FileToOpen) -> str | None:
    """The import of this file that an earlier run has begun."""
    for view in await jobs.list(LOCAL_USER):
        if view.ended or view.reencodes:
            continue
        path = await jobs.source(LOCAL_USER, view.record.id)
        try:
            if await asyncio.to_thread(_same, path, one):
                return view.record.id
        except SourceError:  # its files are gone: the job reports it
            continue
    return None


def _same(path: Path, one: FileToOpen) -> bool:
    """Whether a file has the content of the one to be opened. Its length is compared before its bytes are read."""
    sizes = {source_size(source_files(file)) for file in (path, one.file)}
    return len(sizes) == 1 and fingerprint(path) == one.fingerprint


async def report_end(jobs: JobService, job_id: str, name: str, address: str) -> None:
    """Waits for the end of an import and says how it ended; says nothing if the service ends first."""
    async for view in jobs.events(LOCAL_USER, job_id):
        if view.ended or (view.record.state == "held" and view.record.error):
            _print_end(view.record, name, address)


def _print_end(record: JobRecord, name: str, address: str) -> None:
    if record.state == "done" and record.slide_id is not None:
        print_stderr(f"{name} is imported: {address}{slide_page(record.slide_id)}")
    elif record.error is not None:
        print_stderr(f"{name} is not imported: {record.error['detail']}")

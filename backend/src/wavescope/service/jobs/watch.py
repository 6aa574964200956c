"""A watched folder: a file or folder in it becomes an ingest job once it is no longer written to.

The files of one slide are ingested together: a MIRAX file with its folder, the files of a DICOM series, a folder of
DICOM files. Only files in the folder are ingested: a symbolic link out of it is ignored, and so is what
is neither a file nor a folder (ST64).

The folder is looked at now and then instead of waiting for the system's notices: whether a file has come to rest takes
two looks anyway, and on network shares there are no notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wavescope.errors import MissingPackage, SourceError
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import file_name_of
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.uploads import OUTSIDE, lies_in
from wavescope.source.dicom.series import is_dicom
from wavescope.source.files import folder_files, head_of, source_files
from wavescope.source.tiff.chain import is_tiff
from wavescope.store.durable import write_file

log = get_logger(__name__)


class Stamp(NamedTuple):
    """What changes when a file is written to."""

    size: int
    changed: int  # ns


Stamps = Mapping[str, Stamp]


def settled_files(before: Stamps, now: Stamps, ingested: Stamps) -> list[str]:
    """The files that are not empty, unchanged since the last look, and not ingested in this state: oldest first."""
    found = [name for name, stamp in now.items() if stamp.size and before.get(name) == stamp != ingested.get(name)]
    return sorted(found, key=lambda name: (now[name].changed, name))


def stamps_of(folder: Path) -> dict[str, Stamp]:
    """The files directly in the folder, and its folders with all their files.

    Hidden ones are left out, and those that lead out of the folder.
    """
    found = {}
    root = folder.resolve()
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # gone since
            if not path.name.startswith(".") and lies_in(path, root):
                files = folder_files(path) if path.is_dir() else [path] if path.is_file() else []
                stats = [file.stat() for file in files if lies_in(file, root)]
                if stats:
                    changed = max(stat.st_mtime_ns for stat in stats)
                    found[path.name] = Stamp(sum(stat.st_size for stat in stats), changed)
    return found


def left_alone(folder: Path) -> dict[str, str]:
    """The names in the folder that are never ingested, and why. Raises OSError."""
    root, found = folder.resolve(), {}
    for path in folder.iterdir():
        if path.name.startswith(".") or not path.exists():
            continue
        if not lies_in(path, root):
            found[path.name] = OUTSIDE
        elif not (path.is_file() or path.is_dir()):
            found[path.name] = "it is neither a file nor a folder"
    return found


def files_of(path: Path) -> list[Path]:
    """All files of the slide that ``path`` is or belongs to; none if it is no slide, or not yet. Raises OSError."""
    if path.is_dir():
        files = folder_files(path)
        companion = path.with_name(f"{path.name}.mrxs").exists()
        return files if not companion and any(is_dicom(head_of(file)) for file in files) else []
    if path.suffix.lower() == ".mrxs" and not path.with_suffix("").is_dir():
        return []
    head = head_of(path)
    if path.suffix.lower() != ".mrxs" and not (is_dicom(head) or is_tiff(head)):
        return [path]
    try:
        return source_files(path)
    except (SourceError, MissingPackage):  # the job reports it
        return [path]


class FolderWatch:
    """Ingests files of a folder that no longer change, and notes them in the file ``memory``: a restart ingests nothing
    twice.
    """

    def __init__(self, folder: Path, jobs: JobService, memory: Path) -> None:
        self._folder, self._jobs, self._memory = folder, jobs, memory
        self._before: dict[str, Stamp] = {}
        self._ingested = _read_memory(memory)
        self._noted: dict[str, str] = {}

    async def scan(self) -> None:
        """Looks once. Raises OSError if the folder is away, and what ``JobService.take`` raises."""
        now = await asyncio.to_thread(stamps_of, self._folder)
        self._note(await asyncio.to_thread(left_alone, self._folder))
        before, self._before = self._before, now
        for name in settled_files(before, now, self._ingested):
            path = self._folder / name
            try:
                await self._consider(path, before, now)
            except (OSError, SourceError) as error:  # of this one only; it may be mended
                self._note({name: type(error).__name__})

    async def _consider(self, path: Path, before: Stamps, now: Stamps) -> None:
        """Ingests a file or folder that no longer changes, with all its files, unless one of them still changes."""
        files = await asyncio.to_thread(files_of, path)
        parts = {file.relative_to(self._folder).parts[0] for file in files}
        if not parts or any(before.get(part) != now.get(part) for part in parts):
            return  # no slide, or some of it is still on its way
        if self._ingested.get(path.name) == now[path.name]:
            return  # with another file of its series, a moment ago
        root = self._folder.resolve()
        if not all(lies_in(file, root) for file in files):
            self._note({path.name: f"of one of its files: {OUTSIDE}"})
            return
        await self._jobs.ingest_files(path, files, self._folder)
        present = {known: stamp for known, stamp in self._ingested.items() if known in now}
        self._ingested = present | {part: now[part] for part in parts}
        await asyncio.to_thread(partial(write_file, self._memory, [json.dumps(self._ingested).encode()], private=True))

    def _note(self, reasons: Mapping[str, str]) -> None:
        """Logs once why something is left alone."""
        for name, reason in reasons.items():
            if self._noted.get(name) != reason:
                self._noted[name] = reason
                fault(log, "watched file left alone", "watched file", reason, file=file_name_of(name))


def _read_memory(memory: Path) -> dict[str, Stamp]:
    try:
        return {name: Stamp(*stamp) for name, stamp in json.loads(memory.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}

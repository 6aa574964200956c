"""A watched folder: files that are laid into it become ingest jobs once nobody writes to them any more.

The folder is looked at now and then instead of waiting for the system's notices: whether a file has come to rest takes
two looks anyway, and on network shares there are no notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from wavescope.errors import WavescopeError
from wavescope.service.jobs import Jobs
from wavescope.store.durable import write_file


class Stamp(NamedTuple):
    """What changes when a file is written to."""

    size: int
    changed: int  # ns


Stamps = Mapping[str, Stamp]


def at_rest(before: Stamps, now: Stamps, taken: Stamps) -> list[str]:
    """The files that are as they were when last looked at, not empty, and not taken as they are: the oldest first."""
    found = [name for name, stamp in now.items() if stamp.size and before.get(name) == stamp != taken.get(name)]
    return sorted(found, key=lambda name: (now[name].changed, name))


def stamps_of(folder: Path) -> dict[str, Stamp]:
    """The files directly in the folder, without hidden ones and folders."""
    found = {}
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # gone since
            if path.is_file() and not path.name.startswith("."):
                stat = path.stat()
                found[path.name] = Stamp(stat.st_size, stat.st_mtime_ns)
    return found


class FolderWatch:
    """Takes what comes to rest in a folder, and remembers it in the file ``memory``: a restart takes nothing twice."""

    def __init__(self, folder: Path, jobs: Jobs, memory: Path, seconds: float) -> None:
        self._folder, self._jobs, self._memory, self._seconds = folder, jobs, memory, seconds
        self._before: dict[str, Stamp] = {}
        self._taken = _remembered(memory)

    async def run(self) -> None:
        """Watches until it is cancelled. A folder that is away is waited for."""
        while True:
            with contextlib.suppress(OSError, WavescopeError):  # away, full, too many jobs: next time
                await self.look()
            await asyncio.sleep(self._seconds)

    async def look(self) -> None:
        """Looks once. Raises OSError, and what ``Jobs.take`` raises."""
        now = await asyncio.to_thread(stamps_of, self._folder)
        before, self._before = self._before, now
        for name in at_rest(before, now, self._taken):
            await self._jobs.take(self._folder / name)
            self._taken = {known: stamp for known, stamp in self._taken.items() if known in now} | {name: now[name]}
            await asyncio.to_thread(write_file, self._memory, [json.dumps(self._taken).encode()])


def _remembered(memory: Path) -> dict[str, Stamp]:
    try:
        return {name: Stamp(*stamp) for name, stamp in json.loads(memory.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}

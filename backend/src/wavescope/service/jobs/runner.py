"""Ingesting in a child process: a file that breaks a reader, or fills the memory, does not take the service with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wavescope.config import Config, Limits
from wavescope.errors import MemoryLimit
from wavescope.ingest.memory import NATIVE
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import file_name_of
from wavescope.service.children import start_child
from wavescope.service.jobs.runs import IngestResult, JobFailed, Report
from wavescope.service.slides.removal import discard_ingests

log = get_logger(__name__)

END_SECONDS = 5.0  # seconds, between asking a child to end and killing it
LAST_LINES = 20  # of the child's output other than its reports
NOTICES = 20  # of one job; further ones are in the log only
BROKEN_READER = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL})


class ChildRunner:
    """Runs ``wavescope.service.jobs.child`` once per job, and ends it when the job is cancelled."""

    def __init__(self, config: Config) -> None:
        self._config, self._store, self._limits = config, config.store, config.limits
        self._fingerprints: dict[Path, str] = {}

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        """See Runner. The child also ends by itself when this process is gone: its standard input closes."""
        order = {
            "path": str(path),
            "store": str(self._store),
            "catalog": self._config.catalog,
            "slide_store": self._config.slide_store,
            "slide_store_seconds": self._config.slide_store_seconds,
            "dask_scheduler": self._config.dask_scheduler,
            "options": {**options, "deidentify": self._config.deidentify},
            "keep_originals": self._config.keep_originals,
            "limits": vars(self._limits),
        }
        child = await start_child("wavescope.service.jobs.child", order, stderr=PIPE)
        stderr = asyncio.ensure_future(_last_lines(child))
        try:
            made = await self._follow(child, path, report)
            code = await child.wait()
            if made is None:
                raise _failure(path, code, await stderr, self._limits)
            return made
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.terminate()
                await _end(child)
            stderr.cancel()
            await asyncio.gather(stderr, return_exceptions=True)

    async def discard(self, path: Path) -> None:
        """See Runner."""
        fingerprint = self._fingerprints.pop(path, None)
        if fingerprint is not None:
            await asyncio.to_thread(discard_ingests, self._store, fingerprint)

    async def _follow(self, child: Process, path: Path, report: Report) -> IngestResult | None:
        """Reads the child's reports; the slide if it made one. Raises JobFailed."""
        assert child.stdout is not None
        notices: list[str] = []
        async for line in child.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue  # something a library printed
            match message:
                case {"fingerprint": str(fingerprint)}:
                    self._fingerprints[path] = fingerprint
                case {"done": int(done), "total": int(total)}:
                    report(done, total)
                case {"notice": str(notice)}:
                    log.warning("notice of an ingest", job=path.parent.name, file=file_name_of(path))
                    notices.append(notice)
                case {"waiting": str(cause)}:
                    log.warning("an ingest waits for the catalog", job=path.parent.name, reason=cause)
                case {"slide_id": str(slide_id)}:
                    self._fingerprints.pop(path, None)
                    return IngestResult(slide_id, tuple(notices[:NOTICES]))
                case {"cause": str(cause), "detail": str(detail)}:
                    raise JobFailed(cause, detail)
        return None


async def _last_lines(child: Process) -> str:
    assert child.stderr is not None
    lines: list[str] = []
    async for line in child.stderr:
        lines = [*lines, line.decode(errors="replace").rstrip()][-LAST_LINES:]
    return "\n".join(lines)


def _failure(path: Path, code: int, stderr: str, limits: Limits) -> JobFailed:
    """Why a child ended without a word."""
    if code and NATIVE.search(stderr):
        return JobFailed("MemoryLimit", str(MemoryLimit(limits.ingest_memory)))
    if code < 0 and signal.Signals(-code) in BROKEN_READER:
        return JobFailed(
            "UnreadableSource", f"{path.name}: the reader broke down on this file ({signal.Signals(-code).name})"
        )
    if code < 0:
        return JobFailed("Unavailable", f"the ingest was ended from outside ({signal.Signals(-code).name})")
    last = stderr.splitlines()[-1] if stderr else "no reason was given"
    return JobFailed("RuntimeError", f"the ingest ended with code {code}: {last}")


async def _end(child: Process) -> None:
    try:
        await asyncio.wait_for(child.wait(), END_SECONDS)
    except TimeoutError:
        child.kill()
        await child.wait()

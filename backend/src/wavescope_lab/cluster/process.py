"""The life of one part: started, watched, started again when it ends by itself, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pwd
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from wavescope_lab.cluster.description import write_private
from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.state import Process, process_of
from wavescope_lab.errors import PartFailed

State = Literal["waiting", "starting", "healthy", "unhealthy", "stopping", "stopped", "failed"]

FIRST_WAIT, LONGEST_WAIT = 0.25, 10.0  # seconds before a part that has ended is started again; they double
STEADY_SECONDS = 30.0  # of life after which the waits begin anew
ATTEMPTS = 3  # of the first start
PROBE_SECONDS, STARTING_SECONDS = 1.0, 0.05  # between two probes, and while a part starts
LOG_BYTES = 32 << 20
TAIL = 64 * 1024  # bytes of a log that are looked at for what was wrong
LONGEST = 1000  # characters of a reason
FAULT = re.compile("error|fatal|alert|panic|exception|cannot|not found", re.IGNORECASE)


class Running:
    """One part with its process. ``changed`` is called when a process begins or ends."""

    def __init__(self, part: Part, log: Path, changed: Callable[[], None]) -> None:
        self.part, self.log, self._changed = part, log, changed
        self.state: State = "waiting"
        self.reason = ""
        self.restarts = 0
        self.ready = asyncio.Event()
        self.process: Process | None = None
        self._child: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._wanted = self._resting = False
        self._moment = 0.0
        self._begins = 0  # of what the present process writes, in the log

    def start(self) -> None:
        """Begins; ``until_ready`` tells when it can be used."""
        self._wanted = True
        self.ready.clear()
        self._task = asyncio.create_task(self._live(), name=self.part.name)

    async def until_ready(self) -> None:
        """Returns when the part can be used. Raises PartFailed."""
        waiting = asyncio.create_task(self.ready.wait())
        assert self._task is not None
        try:
            await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
            if not self.ready.is_set():
                raise PartFailed(self.part.name, self.reason or "was stopped")
        finally:
            waiting.cancel()

    async def stop(self) -> None:
        """Ends it in order, after ``stop_seconds`` at once. Returns when it has ended."""
        self._wanted = False
        self.ready.clear()
        if self._child is not None and self._child.returncode is None:
            self.state = "stopping"
            self.send(self.part.stop)
        if self._task is None:
            self.state = "stopped"
            return
        if self._resting:
            self._task.cancel()
        done, _ = await asyncio.wait({self._task}, timeout=self.part.stop_seconds)
        if not done:
            self._end_group()
            await asyncio.wait({self._task})
        self.state, self.reason = "stopped", ""

    def send(self, sent: signal.Signals) -> None:
        """Sends a signal to the process, if it runs."""
        if self._child is not None and self._child.returncode is None:
            self._child.send_signal(sent)

    def write_files(self) -> None:
        """What the part reads."""
        self.part.folder.mkdir(parents=True, exist_ok=True)
        for path, text in self.part.files.items():
            write_private(path, text)

    def uptime(self) -> float:
        """Seconds since the present process began; 0 without one."""
        return time.monotonic() - self._moment if self.process is not None else 0.0

    async def _live(self) -> None:
        wait, attempts = 0.0, 0
        while self._wanted:
            self._resting = True
            await asyncio.sleep(wait)
            self._resting = False
            try:
                code = await self._once()
                self.reason = ending(code, self.log, self._begins)
            except OSError as error:
                self.reason = f"cannot be started: {error}"
            attempts += 1
            if not self._wanted:
                break
            if not self.ready.is_set() and attempts >= ATTEMPTS:
                self.state = "failed"
                return
            self.state = "unhealthy"
            self.restarts += 1
            steady = self._moment > 0 and time.monotonic() - self._moment > STEADY_SECONDS
            wait = 0.0 if steady or (not wait and self.ready.is_set()) else min(max(2 * wait, FIRST_WAIT), LONGEST_WAIT)
        self.state = "stopped"

    async def _once(self) -> int:
        """One process, from its beginning to its end; its exit code."""
        part = self.part
        self.write_files()
        rotate(self.log)
        with self.log.open("ab") as log:
            self._begins = log.tell()
            self._child = await asyncio.create_subprocess_exec(
                *part.command, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, cwd=part.folder,
                env=dict(part.environment), start_new_session=True, **account(part.user),
            )  # fmt: skip
        self._moment = time.monotonic()
        self.state = "starting"
        with contextlib.suppress(ProcessLookupError):
            self.process = process_of(self._child.pid)
        self._changed()
        watching = asyncio.create_task(self._watch())
        try:
            return await self._child.wait()
        finally:
            watching.cancel()
            self._end_group()
            self.process, self._child = None, None
            self._changed()

    async def _watch(self) -> None:
        """Probes the process for as long as it lives."""
        deadline = time.monotonic() + self.part.start_seconds
        while True:
            fault = await self.part.probe.fault()
            if self.state == "stopping":
                return
            if fault is None:
                self.state, self.reason = "healthy", ""
                self.ready.set()
            elif self.state != "starting":
                self.state, self.reason = "unhealthy", fault
            elif time.monotonic() > deadline:
                self.reason = fault
                self._end_group()
            await asyncio.sleep(STARTING_SECONDS if self.state == "starting" else PROBE_SECONDS)

    def _end_group(self) -> None:
        """Ends the process and all that it has started, at once."""
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)  # its own group, since it began a session


def account(user: str) -> dict[str, Any]:
    """What makes a process run as another user."""
    if not user:
        return {}
    found = pwd.getpwnam(user)
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


def rotate(log: Path) -> None:
    """A long log becomes the earlier one."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_BYTES:
            log.replace(log.with_name(f"{log.name}.1"))


def ending(code: int, log: Path, begin: int) -> str:
    """Why a process ended, by its exit code and what its log says from ``begin`` on."""
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    fault = last_fault(log, begin)
    said = f"ended with {code}: {fault}" if fault else f"ended with {code} and printed nothing"
    return said if len(said) <= LONGEST else f"{said[:LONGEST]} ..."


def last_fault(log: Path, begin: int) -> str:
    """The last line of a log that names a fault, from ``begin`` on; without one its last line."""
    try:
        with log.open("rb") as file:
            file.seek(max(begin, log.stat().st_size - TAIL))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return _said(next((line for line in reversed(lines) if FAULT.search(line)), lines[-1] if lines else ""))


def _said(line: str) -> str:
    """What a line says; one of JSON without its other fields."""
    try:
        fields = json.loads(line)
        found = [str(fields[name]) for name in ("event", "error", "reason") if fields.get(name)]
    except (ValueError, TypeError, AttributeError, KeyError):
        return line
    return ": ".join(found) or line

"""A file that is sent to a service and becomes a slide: resumed where a connection breaks (WI95, WI96)."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavescope.client.http import Response, ServiceConnection
from wavescope.client.locations import API
from wavescope.client.problems import BadAnswer, Refused
from wavescope.client.retrying import Attempts
from wavescope.errors import IngestCancelled, Unavailable, UploadBusy, UploadOffset, WavescopeError

CHUNK = 8 << 20  # bytes of one request
TUS = {"tus-resumable": "1.0.0"}
FIRST_POLL, LONGEST_POLL = 0.1, 2.0  # seconds between two looks at a job

Progress = Callable[["UploadProgress"], object]


@dataclass(frozen=True)
class UploadProgress:
    """``stage``: "sending" in bytes, or "importing" in tiles. ``total`` is 0 while it is unknown."""

    stage: str
    done: int
    total: int


class IngestFailed(Refused):
    """A job that failed. ``problem``: why, by its name."""


class AsyncUpload:
    """A file on its way. ``job``: of the import; ``slide``: its id once it is known."""

    def __init__(self, connection: ServiceConnection, progress: Progress | None) -> None:
        self._connection, self._progress = connection, progress or (lambda _: None)
        self.job: str | None = None
        self.slide: str | None = None

    async def send(self, path: Path, metadata: Mapping[str, str]) -> None:
        """Sends the file. Raises what the service refuses it with, and OSError."""
        length = path.stat().st_size
        texts = {"filename": path.name, **metadata}
        packed = ",".join(f"{name} {base64.b64encode(text.encode()).decode()}" for name, text in texts.items())
        headers = {**TUS, "upload-length": str(length), "upload-metadata": packed}
        created = await self._connection.request("POST", "/uploads/resumable", headers=headers)
        place = created.headers.get("location", "")
        if not place.startswith(f"{API}/uploads/resumable/"):
            raise BadAnswer(created.url, "it names no upload of this service")
        place = place.removeprefix(API)
        offset = 0
        with path.open("rb") as file:
            while True:
                self._progress(UploadProgress("sending", offset, length))
                response = await self._send_chunk(file, place, offset)
                newer = _offset(response)
                if self._became(response):
                    self._progress(UploadProgress("sending", length, length))
                    return
                if newer <= offset:
                    raise BadAnswer(response.url, "the upload does not go on")
                offset = newer

    async def wait(self) -> str:
        """The id of the slide once it is imported. Raises IngestFailed, IngestCancelled."""
        pause = FIRST_POLL
        while self.slide is None:
            response = await self._connection.request("GET", f"/jobs/{self.job}")
            job = response.object()
            state = job.get("state")
            self._progress(UploadProgress("importing", _count(job.get("done")), _count(job.get("total"))))
            if state == "done" and isinstance(job.get("slide_id"), str):
                self.slide = job["slide_id"]
            elif state == "failed" or (state == "held" and job.get("error")):  # nobody here to try again (WI135)
                raise _failure(job)
            elif state == "cancelled":
                raise IngestCancelled
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_POLL)
        return self.slide

    async def _send_chunk(self, file: Any, place: str, offset: int) -> Response:
        """Sends the bytes from ``offset`` on; after a failure those that have not arrived."""
        attempts = Attempts(self._connection.options.attempts, self._connection.options.patience)
        while True:
            file.seek(offset)
            chunk = await asyncio.to_thread(file.read, CHUNK)
            headers = {**TUS, "upload-offset": str(offset), "content-type": "application/offset+octet-stream"}
            try:
                return await self._connection.request("PATCH", place, body=chunk, headers=headers, attempts=1)
            except (Unavailable, UploadOffset, UploadBusy) as error:
                again = error if isinstance(error, Unavailable) else Unavailable("the upload", str(error))
                seconds = attempts.pause(again)
                if seconds is None:
                    raise
            await asyncio.sleep(seconds)
            known = await self._connection.request("GET", place, headers=TUS)
            if known.headers.get("content-location"):
                return known
            offset = _offset(known)

    def _became(self, response: Response) -> bool:
        """Whether the file is complete: it is a job, or a slide that is stored already."""
        kind, _, name = response.headers.get("content-location", "").removeprefix(f"{API}/").partition("/")
        if kind == "jobs" and name:
            self.job = name
        elif kind == "slides" and name:
            self.slide = name
        return bool(self.job or self.slide)


def _offset(response: Response) -> int:
    text = response.headers.get("upload-offset", "")
    if not text.isdigit() or len(text) > 18:
        raise BadAnswer(response.url, "it has no Upload-Offset")
    return int(text)


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _failure(job: Mapping[str, Any]) -> WavescopeError:
    found = job.get("error")
    error = found if isinstance(found, dict) else {}
    name = str(error.get("type", "")).rpartition("/")[2]
    return IngestFailed(200, name, str(error.get("detail", "the import failed")))

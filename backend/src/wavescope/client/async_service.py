"""A service for an event loop: its slides, and uploads. The synchronous ``Service`` has the same names."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wavescope.client.async_slide import AsyncSlide
from wavescope.client.http import ServiceConnection
from wavescope.client.locations import Options, RemoteLocation, base_of
from wavescope.client.problems import BadAnswer
from wavescope.client.uploads import AsyncUpload, Progress
from wavescope.errors import InvalidParameter

PER_PAGE = 200
UPLOAD_PARAMETERS = ("title", "id", "quality", "again", "keep_original")


@dataclass(frozen=True)
class SlideSummary:
    """A slide in a list. ``fields``: everything that the service says of it (WI6)."""

    id: str
    title: str
    digest: str
    tags: Mapping[str, str]
    fields: Mapping[str, Any] = field(repr=False)


class AsyncService:
    """The service at ``url``; for one event loop."""

    def __init__(self, url: str, options: Options) -> None:
        self.url, self.options = base_of(url), options
        self._connection = ServiceConnection(self.url, options)

    async def __aenter__(self) -> AsyncService:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all connections; slides that were opened have their own."""
        await self._connection.close()

    async def slides(
        self, search: str = "", *, tag: str | Mapping[str, str] | None = None, sort: str = "newest"
    ) -> AsyncIterator[SlideSummary]:
        """The slides that contain the words of ``search`` and have every ``tag`` ("KEY:VALUE", or a mapping)."""
        query = [("search", search), ("sort", sort), ("per_page", str(PER_PAGE)), *_labels(tag)]
        page = pages = 1
        while page <= pages:
            response = await self._connection.request("GET", "/slides", query=[*query, ("page", str(page))])
            pages = response.member("pages", int)
            for each in response.member("slides", list):
                yield _summary(each, response.url)
            page += 1

    async def open_slide(self, slide_id: str) -> AsyncSlide:
        """Raises UnknownSlide, and what AsyncSlide.open raises."""
        return await AsyncSlide.open(RemoteLocation(self.url, slide_id), self.options)

    async def upload(
        self, path: str | os.PathLike[str], *, progress: Progress | None = None, **parameters: str
    ) -> AsyncUpload:
        """Sends a file; ``wait`` of what it returns waits for the import. ``parameters``: title, id, quality, again and
        keep_original (WI25). Raises InvalidParameter for others, and what the service refuses the file with.
        """
        for name in parameters:
            if name not in UPLOAD_PARAMETERS:
                raise InvalidParameter("parameter", name, ", ".join(UPLOAD_PARAMETERS))
        made = AsyncUpload(self._connection, progress)
        await made.send(Path(path), parameters)
        return made


def _labels(tag: str | Mapping[str, str] | None) -> list[tuple[str, str]]:
    """Raises InvalidParameter."""
    if tag is None:
        return []
    if isinstance(tag, str):
        key, colon, value = tag.partition(":")
        if not key or not colon or not value:
            raise InvalidParameter("tag", tag, '"KEY:VALUE" or a mapping')
        tag = {key: value}
    return [("label", f"tag.{key}:{value}") for key, value in tag.items()]


def _summary(value: object, url: str) -> SlideSummary:
    if isinstance(value, dict):
        found = [value.get(name) for name in ("id", "title", "digest")]
        tags = value.get("tags") or {}
        if all(isinstance(each, str) for each in found) and isinstance(tags, dict):
            return SlideSummary(found[0], found[1], found[2], tags, value)  # type: ignore[arg-type]
    raise BadAnswer(url, "an entry is no slide")

"""A service for ordinary code. Thread-safe; can be pickled."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from wavescope.client.async_service import AsyncService, SlideSummary
from wavescope.client.locations import Options, RemoteLocation, base_of
from wavescope.client.loop import Runner, after_fork, runner
from wavescope.client.slide import Slide, each
from wavescope.client.uploads import AsyncUpload, Progress


class Service:
    """The service at ``url``, with the methods of AsyncService. ``given``: fields of Options, such as ``token``."""

    def __init__(self, url: str, options: Options | None = None, **given: Any) -> None:
        self.url, self.options = base_of(url), options or Options(**given)
        self._forked()

    def _forked(self) -> None:
        """Forgets what belongs to another process."""
        self._lock = threading.Lock()
        self._opened: tuple[Runner, AsyncService] | None = None
        after_fork(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"url": self.url, "options": self.options}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.url, self.options = state["url"], state["options"]
        self._forked()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _core(self) -> AsyncService:
        with self._lock:
            if self._opened is None:
                own, core = runner(), AsyncService(self.url, self.options)
                own.opened.add(core.close)
                self._opened = own, core
            return self._opened[1]

    def close(self) -> None:
        """Ends all connections; the next call opens new ones."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            own, core = opened
            own.opened.discard(core.close)
            own.run(core.close())

    def slides(
        self, search: str = "", *, tag: str | Mapping[str, str] | None = None, sort: str = "newest"
    ) -> Iterator[SlideSummary]:
        """See AsyncService."""
        return each(self._core().slides(search, tag=tag, sort=sort))

    def open_slide(self, slide_id: str) -> Slide:
        """See AsyncService."""
        return Slide(RemoteLocation(self.url, slide_id), self.options)

    def upload(self, path: str | os.PathLike[str], *, progress: Progress | None = None, **parameters: str) -> Upload:
        """See AsyncService. ``progress`` is called in the client's thread."""
        return Upload(runner().run(self._core().upload(path, progress=progress, **parameters)))


class Upload:
    """A file that has arrived at the service."""

    def __init__(self, core: AsyncUpload) -> None:
        self._core = core

    @property
    def job(self) -> str | None:
        """Of the import; None if the service has the slide already."""
        return self._core.job

    def wait(self) -> str:
        """The id of the slide once it is imported. Raises IngestFailed, IngestCancelled."""
        return runner().run(self._core.wait())

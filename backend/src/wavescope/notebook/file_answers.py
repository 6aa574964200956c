"""An exported slide for the viewer, which reads it by ranges: a ``.wsz`` file or a folder (static.md, SH1, SH10)."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from urllib.parse import unquote

from wavescope.errors import InvalidParameter, OutOfRange, TooLarge, UnreadableSource
from wavescope.notebook.exchange import Asked, Reply

MAX_READ = 64 << 20  # bytes of one answer
_RANGE = re.compile(r"bytes=(\d{1,15})-(\d{1,15})")
_MISSING = Reply(status=404)
_DOCUMENT, _THUMBNAIL = "export.json", "thumbnail.jpg"


def is_export(place: str) -> bool:
    """Whether a path looks like that of an exported slide."""
    path = Path(place)
    return "://" not in place and (path.is_file() if path.suffix == ".wsz" else (path / _DOCUMENT).is_file())


class FileAnswers:
    """Ranges of a file (``/file``), or of the files below a folder (``/folder/...``); of nothing else."""

    def __init__(self, place: Path) -> None:
        self._place = place.resolve()

    @property
    def path(self) -> str:
        """What the viewer opens."""
        return "/folder/" if self._place.is_dir() else "/file"

    def thumbnail(self) -> bytes:
        """The picture of the slide, a JPEG. Raises UnreadableSource."""
        try:
            if self._place.is_dir():
                return (self._place / _THUMBNAIL).read_bytes()
            with zipfile.ZipFile(self._place) as archive:
                entry = archive.getinfo(_THUMBNAIL)
                return b"" if entry.file_size > MAX_READ else archive.read(entry)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
            raise UnreadableSource(self._place, f"it is no export that can be read: {error}") from error

    def answer(self, request: Asked) -> Reply:
        """Raises InvalidParameter, OutOfRange, TooLarge, OSError."""
        if request.method != "GET":
            raise InvalidParameter("method", request.method, "GET")
        path = self._file(unquote(request.path.partition("?")[0]))
        if path is None or not path.is_file():
            return _MISSING
        size = path.stat().st_size
        match = _RANGE.fullmatch(request.headers.get("range", ""))
        start, stop = (0, size) if match is None else (int(match[1]), min(int(match[2]) + 1, size))
        if start >= stop:
            raise OutOfRange("range", start, f"0 to {size - 1}")
        if stop - start > MAX_READ:
            raise TooLarge("a range in bytes", stop - start, MAX_READ)
        with path.open("rb") as file:
            file.seek(start)
            body = file.read(stop - start)
        said = {"content-range": f"bytes {start}-{stop - 1}/{size}", "content-length": str(len(body))}
        return Reply(body, 200 if match is None else 206, said)

    def _file(self, path: str) -> Path | None:
        if path == self.path:
            return None if self._place.is_dir() else self._place
        if not self._place.is_dir() or not path.startswith(self.path):
            return None
        found = (self._place / path.removeprefix(self.path)).resolve()
        return found if found.is_relative_to(self._place) else None

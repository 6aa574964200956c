"""Where a slide is, and how it is read: pure values that a script writes down and a process pool pickles."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from wavescope.errors import InvalidParameter, StaleVersion, UnknownSlide

API = "/api/v1"
TOKEN = "WAVESCOPE_TOKEN"
"""The environment variable with the personal token of scripts."""
_ADDRESS = re.compile(
    r"(?P<base>.*?)(?:/api/v1)?/slides/(?P<slide>[A-Za-z0-9][A-Za-z0-9._-]{0,127})(?:/v/(?P<digest>[0-9a-f]{32}))?/?"
)

_DIGEST = re.compile(r"[0-9a-f]{32}")
_FORM = "http(s)://HOST/api/v1/slides/ID, STORE/ID or STORE/slides/DIGEST"


@dataclass(frozen=True)
class Options:
    """How a client asks and what it stores.

    ``token``: a personal token; default: that of the environment. ``timeout``: seconds without a byte after which a
    service does not answer. ``attempts`` of one request, ``patience``: the most seconds that one request waits between
    them. ``block_bytes`` of coded blocks, ``sample_bytes`` of ancestors and ``tile_bytes`` of pixels are cached.
    ``threads`` decode; ``most_pixels`` of one region.
    """

    token: str | None = field(default=None, repr=False)
    timeout: float = 30.0
    attempts: int = 4
    patience: float = 30.0
    connections: int = 8
    block_bytes: int = 64 << 20
    sample_bytes: int = 64 << 20
    tile_bytes: int = 64 << 20
    threads: int = min(8, os.cpu_count() or 1)
    most_pixels: int = 1 << 28

    @property
    def headers(self) -> dict[str, str]:
        """What proves who asks."""
        token = os.environ.get(TOKEN, "") if self.token is None else self.token
        if (token and not token.isascii()) or any(c.isspace() for c in token):
            raise InvalidParameter("token", "(not shown)", "a token without spaces")
        return {"authorization": f"Bearer {token}"} if token else {}


@dataclass(frozen=True)
class RemoteLocation:
    """A slide of the service at ``base``, whose API is below ``base``/api/v1. ``digest``: of this version."""

    base: str
    slide: str
    digest: str | None = None

    def __str__(self) -> str:
        return f"{self.base}{API}/slides/{self.slide}"


@dataclass(frozen=True)
class LocalLocation:
    """A version in a store on this machine."""

    store: Path
    slide: str
    digest: str

    def __str__(self) -> str:
        return str(self.store / self.slide)


Location = RemoteLocation | LocalLocation


def location_of(url_or_path: str | os.PathLike[str]) -> Location:
    """The slide at a URL, in a store (``STORE/ID``, or STORE with one slide), or a version's folder.

    Raises InvalidParameter, UnknownSlide, StaleVersion.
    """
    text = os.fspath(url_or_path)
    if text.partition("://")[0] in ("http", "https"):
        return remote_location(text)
    if "://" in text:
        raise InvalidParameter("url_or_path", text, _FORM)
    return _local_location(Path(text))


def base_of(url: str) -> str:
    """The address of a service without what follows it. Raises InvalidParameter."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise InvalidParameter("url", url, "http(s)://HOST[:PORT] without a name or password")
    path = parts.path.partition(API)[0].rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def remote_location(url: str) -> RemoteLocation:
    """The slide at the URL of its manifest, of one of its versions, or of its page. Raises InvalidParameter."""
    match = _ADDRESS.fullmatch(urlsplit(url).path)
    if match is None:
        raise InvalidParameter("url_or_path", url, _FORM)
    parts = urlsplit(url)
    return RemoteLocation(base_of(f"{parts.scheme}://{parts.netloc}{match['base']}"), match["slide"], match["digest"])


def _local_location(path: Path) -> LocalLocation:
    if (path / "manifest.json").is_file() and _DIGEST.fullmatch(path.resolve().name):
        found = path.resolve()
        return LocalLocation(found.parent.parent, found.name, found.name)
    if (path / "slides").is_dir():
        return _named(path, None)
    if (path.parent / "slides").is_dir():
        return _named(path.parent, path.name)
    raise InvalidParameter("url_or_path", str(path), f"a folder of a store: {_FORM}")


def _named(store: Path, name: str | None) -> LocalLocation:
    """The slide ``name`` of a store; None: its only one."""
    store = store.resolve()
    if name is not None and _DIGEST.fullmatch(name):
        if not (store / "slides" / name).is_dir():
            raise StaleVersion(name, name)
        return LocalLocation(store, name, name)
    slides = stored_slides(store)
    if name is None and len(slides) == 1:
        name = next(iter(slides))
    if name is None:
        raise InvalidParameter("url_or_path", str(store), f"STORE/ID: the store has {len(slides)} slides")
    if name not in slides:
        raise UnknownSlide(name)
    return LocalLocation(store, name, slides[name])


def stored_slides(store: Path) -> Mapping[str, str]:
    """Digests by id of the slides of a store that are not in the trash. Without a catalog, ids are digests."""
    catalog = store / "catalog.sqlite"
    if not catalog.is_file():
        return {each.name: each.name for each in (store / "slides").iterdir() if _DIGEST.fullmatch(each.name)}
    connection = sqlite3.connect(f"{catalog.resolve().as_uri()}?mode=ro", uri=True)
    try:
        return dict(connection.execute("SELECT id, digest FROM slides WHERE trashed IS NULL ORDER BY updated DESC"))
    finally:
        connection.close()

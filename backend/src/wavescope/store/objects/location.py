"""Where slide versions are: ``s3://bucket/prefix``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wavescope.errors import InvalidParameter

SCHEME = "s3://"
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX = re.compile(r"[A-Za-z0-9._/=-]*")


@dataclass(frozen=True)
class Bucket:
    """A bucket and the prefix of the names of all objects in it, without slashes at its ends."""

    name: str
    prefix: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.name}{'/' if self.prefix else ''}{self.prefix}"


def is_location(text: str) -> bool:
    """Whether a text names an object store, not a folder."""
    return text.startswith(SCHEME)


def bucket_of(text: str) -> Bucket:
    """The bucket that a text names. Raises InvalidParameter."""
    name, _, prefix = text.removeprefix(SCHEME).partition("/")
    prefix = prefix.removesuffix("/")
    parts = prefix.split("/") if prefix else []
    named = is_location(text) and _BUCKET.fullmatch(name) and _PREFIX.fullmatch(prefix)
    if not named or any(part in ("", ".", "..") for part in parts):
        shown = "..." if "@" in text else text[:200]  # credentials do not belong there, but may be
        raise InvalidParameter("the object store", shown, "s3://BUCKET or s3://BUCKET/PREFIX")
    return Bucket(name, prefix)

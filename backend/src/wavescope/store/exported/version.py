"""The files of a slide version on their way into an export, verified (SH3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

from wavescope.errors import CorruptStore
from wavescope.store.exported.sinks import Sink
from wavescope.store.objects.backend import Files
from wavescope.store.objects.contents import MANIFEST, MAX_PROFILE, Expected
from wavescope.store.objects.copy import contents_of, manifest_of
from wavescope.store.reading import reason_of

Report = Callable[[int, int], None]
"""Called with the files that are written, and with all."""


def bytes_of(source: Files, digest: str) -> int:
    """About the size of all files of a version. Raises StaleVersion, CorruptStore, Unavailable."""
    manifest, stored = manifest_of(source, digest)
    return len(stored) + sum(one.length or 0 for one in contents_of(source, digest, manifest).values())


def write_version(source: Files, digest: str, sink: Sink, report: Report = lambda done, total: None) -> int:
    """Writes every file of a version (ST2), each compared with its SHA-256; the bytes written.

    Raises StaleVersion, CorruptStore, Unavailable, OSError, StoreFull.
    """
    manifest, stored = manifest_of(source, digest)
    expected = contents_of(source, digest, manifest)
    sink.add(MANIFEST, len(stored), [stored])
    total, written = len(expected) + 1, len(stored)
    report(1, total)
    for done, path in enumerate(sorted(expected, key=_order), 2):
        length = _length(source, digest, path, expected[path])
        sink.add(path, length, _verified(source.chunks(path), digest, path, length, expected[path].sha256))
        written += length
        report(done, total)
    return written


def _order(path: str) -> tuple[bool, int, str]:
    """What every view needs comes first: documents, index and approximation, then levels from the coarsest on."""
    parts = path.split("/")
    return (parts[0] == "levels", -int(parts[1]) if parts[0] == "levels" and parts[1].isdecimal() else 0, path)


def _length(source: Files, digest: str, path: str, expected: Expected) -> int:
    size = source.size(path)
    if size is None:
        raise CorruptStore(digest, path, "the file is missing")
    if expected.length is not None and size != expected.length:
        raise CorruptStore(digest, path, f"it has {size} bytes instead of {expected.length}")
    if size > MAX_PROFILE and expected.length is None:
        raise CorruptStore(digest, path, f"it has {size} bytes, {MAX_PROFILE} are allowed")
    return size


def _verified(chunks: Iterable[bytes], digest: str, path: str, length: int, expected: bytes) -> Iterator[bytes]:
    """The pieces; CorruptStore at the end if they are not what the version's hashes say."""
    seen, hashed = 0, sha256()
    try:
        for chunk in chunks:
            seen += len(chunk)
            hashed.update(chunk)
            if seen > length:
                raise CorruptStore(digest, path, f"it has more than {length} bytes")
            yield chunk
    except (FileNotFoundError, ValueError) as error:
        raise CorruptStore(digest, path, reason_of(error)) from error
    if seen != length or hashed.digest() != expected:
        raise CorruptStore(digest, path, "its SHA-256 does not match")

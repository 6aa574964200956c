"""Copying slide versions between places, resumable and verified (ST83)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from wavescope.errors import CorruptStore, StaleVersion
from wavescope.store.manifest import Manifest, parse_manifest
from wavescope.store.objects.backend import Files, ObjectBackend, Target, VersionBackend, sha256_of
from wavescope.store.objects.contents import (
    LAYER_INDEX,
    MANIFEST,
    MAX_MANIFEST,
    MAX_PROFILE,
    Expected,
    contents,
    read_directory,
)
from wavescope.store.reading import reason_of
from wavescope.store.verify import Damage
from wavescope.store.version import SlideVersion

MAX_IN_FLIGHT = 8
"""Files that are copied at the same time."""


@dataclass(frozen=True)
class CopyProgress:
    """Files that are verified at the target, of all; bytes that were sent."""

    done: int
    total: int
    sent_bytes: int


@dataclass(frozen=True)
class Copied:
    """What came of a copy: the files of the version, and how many of them were sent."""

    digest: str
    files: int
    sent: int
    sent_bytes: int


Report = Callable[[CopyProgress], None]


def manifest_of(files: Files, digest: str) -> tuple[Manifest, bytes]:
    """The manifest, parsed and as stored. StaleVersion if there is no such version, CorruptStore, Unavailable."""
    try:
        data = files.whole(MANIFEST, MAX_MANIFEST)
    except FileNotFoundError as error:
        raise StaleVersion(digest, digest) from error
    except (OSError, ValueError) as error:
        raise CorruptStore(digest, "the manifest", reason_of(error)) from error
    return parse_manifest(data, digest), data


def contents_of(files: Files, digest: str, manifest: Manifest) -> dict[str, Expected]:
    """Every file of a version but its manifest. Raises CorruptStore, Unavailable."""
    version = SlideVersion.of(digest, manifest)
    directory = read_directory(version, lambda start, length: files.read(LAYER_INDEX, start, length))
    return contents(manifest, directory)


def copy(source: VersionBackend, target: VersionBackend, digest: str, report: Report = lambda progress: None) -> Copied:
    """Copies a version; what the target has of it, complete, is not sent again.

    Every file is read again from the target and compared with its SHA-256 before the version is published there.
    Raises StaleVersion, CorruptStore (``part`` says whether source or target is damaged), StoreBusy, StoreFull,
    Unavailable; the next call goes on.
    """
    files = source.files(digest)
    manifest, stored = manifest_of(files, digest)
    expected = contents_of(files, digest, manifest)
    if is_complete(target.files(digest), digest, expected):
        return Copied(digest, len(expected) + 1, 0, 0)
    with target.writing(digest) as out:
        sent = write_version(files, out, digest, expected, report)
        out.publish(stored)
    return Copied(digest, len(expected) + 1, *sent)


def is_complete(files: Files, digest: str, expected: Mapping[str, Expected]) -> bool:
    """Whether a version is published here and every byte is right."""
    try:
        manifest_of(files, digest)
    except (StaleVersion, CorruptStore):
        return False
    return not any(damage(files, path, file) for path, file in expected.items())


def damage(files: Files, path: str, expected: Expected) -> str | None:
    """What is wrong with a stored file, None if nothing. Raises Unavailable."""
    size = files.size(path)
    if size is None:
        return "the file is missing"
    if expected.length is not None and size != expected.length:
        return f"it has {size} bytes instead of {expected.length}"
    if expected.length is None and size > MAX_PROFILE:
        return f"it has {size} bytes, {MAX_PROFILE} are allowed"
    try:
        return None if sha256_of(files.chunks(path)) == expected.sha256 else "its SHA-256 does not match"
    except FileNotFoundError:
        return "the file is missing"


def verify_objects(backend: ObjectBackend, digest: str) -> Iterator[Damage]:
    """Everything that is damaged in a version in an object store. StaleVersion if there is none, Unavailable."""
    files = backend.files(digest)
    try:
        manifest, _ = manifest_of(files, digest)
        expected = contents_of(files, digest, manifest)
    except CorruptStore as error:
        yield Damage(error.part, error.reason)
        return
    for path, file in expected.items():
        reason = damage(files, path, file)
        if reason is not None:
            yield Damage(path, reason)
    for path in files.paths():
        if path not in expected and path != MANIFEST:
            yield Damage(path, "there should be no such file")


def write_version(
    source: Files, target: Target, digest: str, expected: Mapping[str, Expected], report: Report
) -> tuple[int, int]:
    """Writes every file of a version but its manifest, and verifies it; the files and the bytes that were sent."""
    done = sent = sent_bytes = 0
    report(CopyProgress(0, len(expected), 0))
    with ThreadPoolExecutor(MAX_IN_FLIGHT, "wavescope-copy") as threads:
        work = [threads.submit(_write_file, source, target, digest, path, file) for path, file in expected.items()]
        try:
            for finished in as_completed(work):
                size = finished.result()
                done, sent, sent_bytes = done + 1, sent + (size is not None), sent_bytes + (size or 0)
                report(CopyProgress(done, len(expected), sent_bytes))
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    return sent, sent_bytes


def _write_file(source: Files, target: Target, digest: str, path: str, expected: Expected) -> int | None:
    """Bytes that were sent; None if the target had the file."""
    if damage(target, path, expected) is None:
        return None
    read = _Read(source.chunks(path), MAX_PROFILE if expected.length is None else expected.length)
    try:
        target.put(path, iter(read))
    except (FileNotFoundError, ValueError) as error:
        raise CorruptStore(digest, f"{path} at the source", reason_of(error)) from error
    if read.digest.digest() != expected.sha256:
        raise CorruptStore(digest, f"{path} at the source", "its SHA-256 does not match")
    reason = damage(target, path, expected)
    if reason is not None:
        raise CorruptStore(digest, f"{path} at the target", reason)
    return read.bytes


class _Read:
    """Pieces on their way from the source, counted and hashed; ValueError for more than ``max_bytes`` bytes."""

    def __init__(self, chunks: Iterator[bytes], max_bytes: int) -> None:
        self._chunks, self._max_bytes = chunks, max_bytes
        self.bytes, self.digest = 0, hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.bytes += len(chunk)
            if self.bytes > self._max_bytes:
                raise ValueError(f"it has more than {self._max_bytes} bytes")
            self.digest.update(chunk)
            yield chunk

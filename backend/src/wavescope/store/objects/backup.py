"""Slide versions, identifying data, original files and overlays of an object store in a backup, and back (CL19).

In a backup they have the names that they have in the folder of a store, so that it restores either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from wavescope.store.files.stored import KINDS
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import ObjectBackend, folder_of
from wavescope.store.objects.client import Objects
from wavescope.store.objects.contents import MANIFEST, MAX_MANIFEST
from wavescope.store.objects.phi import phi_of
from wavescope.store.phi import TEXTS, Phi

SLIDES, IDENTITY = "slides", "identity"
FILES = frozenset(kind.folder for kind in KINDS)
IMAGE = ".png"

Read = Callable[[str], Iterator[bytes]]
"""The content of a member of a backup by its name."""


def files_of(
    backend: ObjectBackend, digests: Iterable[str], files: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Name and content of everything stored of these versions and files, SHA-256 by folder. Raises Unavailable,
    CorruptStore.
    """
    phi = _phi(backend)
    for digest in digests:
        yield from _objects_under(backend.objects, folder_of(digest))
        texts, images = phi.texts(digest), phi.images(digest)
        if texts or images:
            yield f"{IDENTITY}/{digest}/{TEXTS}", [json.dumps(texts, ensure_ascii=False, sort_keys=True).encode()]
        for name in images:
            yield f"{IDENTITY}/{digest}/{name}{IMAGE}", [phi.image(digest, name) or b""]
    for folder, found in files.items():
        for sha256 in found:
            yield from _objects_under(backend.objects, f"{folder}/{sha256}")


def restore_files(backend: ObjectBackend, members: Iterable[str], read: Read) -> None:
    """Stores what a backup has and the object store lacks; versions and files complete or not at all.

    Raises StoreBusy, Unavailable.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for member in sorted(members):
        parts = PurePosixPath(member).parts
        if len(parts) > 2 and ".." not in parts:
            found.setdefault((parts[0], parts[1]), []).append("/".join(parts[2:]))
    phi = _phi(backend)
    for (folder, name), paths in found.items():
        if folder == SLIDES and backend.files(name).size(MANIFEST) is None:
            with backend.writing(name) as target:
                for path in paths:
                    if path != MANIFEST:
                        target.put(path, read(f"{folder}/{name}/{path}"))
                target.publish(_whole(read(f"{folder}/{name}/{MANIFEST}"), MAX_MANIFEST))
        elif folder == IDENTITY and not phi.texts(name) and not phi.images(name):
            whole = {path: b"".join(read(f"{folder}/{name}/{path}")) for path in paths}
            texts = json.loads(whole.pop(TEXTS, b"{}"))
            phi.write(name, texts, {path.removesuffix(IMAGE): image for path, image in whole.items()})
        elif folder in FILES:
            for path in sorted(paths, key=lambda path: path.endswith(".json")):  # the record is the last object
                if backend.objects.find(f"{folder}/{name}/{path}") is None:
                    backend.objects.put(f"{folder}/{name}/{path}", read(f"{folder}/{name}/{path}"))


def _objects_under(objects: Objects, folder: str) -> Iterator[tuple[str, Iterable[bytes]]]:
    for path in sorted(path for path, _ in objects.under(folder)):
        yield path, objects.chunks(path)


def _phi(backend: ObjectBackend) -> Phi:
    return phi_of(StorePaths(PurePosixPath(".")), backend)  # type: ignore[arg-type]


def _whole(chunks: Iterator[bytes], max_bytes: int) -> bytes:
    found = b"".join(chunks)
    if len(found) > max_bytes:
        raise ValueError(f"it has {len(found)} bytes, {max_bytes} are allowed")
    return found

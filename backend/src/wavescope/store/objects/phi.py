"""Identifying data of slide versions in an object store: ``identity/DIGEST/``, beside ``slides/`` (PR41, CL14)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from wavescope.errors import CorruptStore
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.phi import Phi, PhiStore, image_name

FOLDER = "identity"
INDEX = "index.json"
MAX_INDEX, MAX_IMAGE = 16 << 20, 256 << 20  # bytes
VERSION = 1


@dataclass(frozen=True)
class PhiObjects:
    """See Phi. The index, one object, names the pictures by their hashes: it is replaced in one step. Methods raise
    Unavailable too.
    """

    objects: Objects

    def write(self, digest: str, texts: Mapping[str, str], images: Mapping[str, bytes]) -> tuple[str, ...]:
        named = {image_name(name): image for name, image in images.items()}
        files = {name: f"{hashlib.sha256(image).hexdigest()}.png" for name, image in named.items()}
        for name, image in named.items():
            self.objects.put(_path(digest, files[name]), [image])
        index = {"version": VERSION, "texts": dict(texts), "images": files}
        self.objects.put(_path(digest, INDEX), [json.dumps(index, ensure_ascii=False, sort_keys=True).encode()])
        current = {_path(digest, one) for one in (INDEX, *files.values())}
        self.objects.delete([path for path, _ in self.objects.under(_path(digest)) if path not in current])
        return tuple(sorted(named))

    def drop(self, digest: str) -> bool:
        found = [path for path, _ in self.objects.under(_path(digest))]
        self.objects.delete([_path(digest, INDEX), *found])
        return bool(found)

    def images(self, digest: str) -> tuple[str, ...]:
        return tuple(sorted(self._index(digest)[1]))

    def image(self, digest: str, name: str) -> bytes | None:
        file = self._index(digest)[1].get(name)
        if file is None:
            return None
        try:
            found = self.objects.whole_blocking(_path(digest, file), MAX_IMAGE)
        except FileNotFoundError:  # replaced or removed meanwhile
            return None
        except ValueError as cause:
            raise CorruptStore(digest, "identity", str(cause)) from cause
        if f"{hashlib.sha256(found).hexdigest()}.png" != file:
            raise CorruptStore(digest, "identity", "the SHA-256 of a picture does not match")
        return found

    def texts(self, digest: str) -> dict[str, str]:
        return self._index(digest)[0]

    def _index(self, digest: str) -> tuple[dict[str, str], dict[str, str]]:
        try:
            found = json.loads(self.objects.whole_blocking(_path(digest, INDEX), MAX_INDEX))
            texts = {str(name): str(text) for name, text in found["texts"].items()}
            return texts, {str(name): str(file) for name, file in found["images"].items()}
        except FileNotFoundError:
            return {}, {}
        except (ValueError, KeyError, TypeError, AttributeError) as cause:
            raise CorruptStore(digest, "identity", "no index of it") from cause


def phi_of(paths: StorePaths, backend: ObjectBackend | None) -> Phi:
    """The identifying data of the versions in a place; None: in the folder of the store."""
    return PhiStore(paths) if backend is None else PhiObjects(backend.objects)


def _path(digest: str, file: str = "") -> str:
    return f"{FOLDER}/{digest}{'/' if file else ''}{file}"

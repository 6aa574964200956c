"""Label, macro image and identifying texts of slide versions, in a folder of their own: ``identity/DIGEST/`` (PR41).

Never inside a version's folder, which may lie on a static web server; readable by the owner of the files alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wavescope.errors import CorruptStore
from wavescope.store.durable import make_private_directory, put_in_place, remove_tree, write_file
from wavescope.store.layout import StorePaths

TEXTS = "texts.json"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")


class Phi(Protocol):
    """The identifying data of the versions in one place."""

    def write(self, digest: str, texts: Mapping[str, str], images: Mapping[str, bytes]) -> tuple[str, ...]:
        """Writes the identifying data of a source, replacing earlier data; returns the names of the pictures."""
        ...

    def drop(self, digest: str) -> bool:
        """Removes it; whether there was any."""
        ...

    def images(self, digest: str) -> tuple[str, ...]:
        """Names of the pictures, sorted. Raises CorruptStore."""
        ...

    def image(self, digest: str, name: str) -> bytes | None:
        """A picture as PNG; None if there is none of this name. Raises CorruptStore."""
        ...

    def texts(self, digest: str) -> dict[str, str]:
        """The texts by name; empty if there are none. Raises CorruptStore."""
        ...


@dataclass(frozen=True)
class PhiStore:
    """See Phi: the identities of one store on disk."""

    paths: StorePaths

    def write(self, digest: str, texts: Mapping[str, str], images: Mapping[str, bytes]) -> tuple[str, ...]:
        folder, made = self.paths.identity(digest), self.paths.identity(f"{digest}.new")
        remove_tree(made)
        make_private_directory(self.paths.identities)
        make_private_directory(made)
        named = {image_name(name): image for name, image in images.items()}
        for name, image in named.items():
            write_file(made / f"{name}.png", [image], private=True)
        document = json.dumps(dict(texts), ensure_ascii=False, sort_keys=True).encode()
        write_file(made / TEXTS, [document], private=True)
        put_in_place(made, folder)  # never a moment without it
        remove_tree(made)
        return tuple(sorted(named))

    def drop(self, digest: str) -> bool:
        folder = self.paths.identity(digest)
        there = folder.is_dir()
        remove_tree(folder)
        return there

    def images(self, digest: str) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self.paths.identity(digest).glob("*.png")))

    def image(self, digest: str, name: str) -> bytes | None:
        path = self.paths.identity(digest) / f"{name}.png"
        return path.read_bytes() if NAME.fullmatch(name) and path.is_file() else None

    def texts(self, digest: str) -> dict[str, str]:
        path = self.paths.identity(digest) / TEXTS
        if not path.is_file():
            return {}
        try:
            return {str(name): str(text) for name, text in json.loads(path.read_bytes()).items()}
        except ValueError as cause:
            raise CorruptStore(digest, "identity", "not JSON") from cause


def image_name(text: str) -> str:
    """The name that a picture is stored by."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-_")[:40] or "image"

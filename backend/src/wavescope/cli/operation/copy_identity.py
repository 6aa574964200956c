"""Identifying data in ``wavescope copy``: that of the copied versions, or none, which is said (PR41)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wavescope.cli.output import print_stderr
from wavescope.errors import CorruptStore
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend, ObjectBackend, VersionBackend
from wavescope.store.objects.phi import phi_of
from wavescope.store.phi import Phi


def copied_identity(
    source: VersionBackend, target: VersionBackend, digests: Sequence[str], *, wanted: bool
) -> tuple[list[str], list[str]]:
    """The versions whose label, pictures and texts are in the target now, and those of which they are damaged; without
    ``wanted`` says how many have some. Raises Unavailable, OSError.
    """
    given, taken = _phi(source), _phi(target)
    copied: list[str] = []
    damaged: list[str] = []
    for digest in digests:
        try:
            texts = given.texts(digest)
            images = {name: given.image(digest, name) or b"" for name in given.images(digest)}
        except CorruptStore as error:
            print_stderr(str(error))
            damaged.append(digest)
            continue
        if not texts and not images:
            continue
        copied.append(digest)
        if wanted:
            taken.write(digest, texts, images)
    if not wanted and copied:
        print_stderr(f"identifying data of {len(copied)} version(s) not copied; --identity copies it")
    return (copied, damaged) if wanted else ([], [])


def _phi(backend: VersionBackend) -> Phi:
    if isinstance(backend, ObjectBackend):
        return phi_of(StorePaths(Path()), backend)
    assert isinstance(backend, FolderBackend)
    return phi_of(backend.paths, None)

"""Finding the store, its catalog and its slides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wavescope.catalog.catalog import Catalog
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.service.opening import open_catalog
from wavescope.service.storage import object_backend
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest, load_manifest
from wavescope.store.objects.copy import manifest_of


@contextmanager
def opened_catalog(config: Config, *, create: bool = False) -> Iterator[Catalog]:
    """The catalog; InvalidParameter if there is no store and the command does not make one. The folder of a store that
    has neither catalog nor slides, as in a cluster, need not be there.
    """
    elsewhere = config.catalog and config.slide_store
    if not create and not elsewhere and not config.store.is_dir():
        raise InvalidParameter("store", str(config.store), "a folder that exists (make one with: wavescope ingest)")
    try:
        catalog = open_catalog(config)
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        raise InvalidParameter(
            "store", str(config.store), f"a folder that can be written ({error.strerror})"
        ) from error
    try:
        yield catalog
    finally:
        catalog.close()


def manifest_in(config: Config, digest: str) -> Manifest:
    """The manifest of a version. StaleVersion, CorruptStore, Unavailable."""
    backend = object_backend(config)
    if backend is None:
        return load_manifest(StorePaths(config.store).slides, digest)
    return manifest_of(backend.files(digest), digest)[0]

"""Opening the catalog of a store, which must not be a new, empty one where slides are stored already (ST70)."""

from __future__ import annotations

from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.health import has_tables
from wavescope.config import Config
from wavescope.errors import CatalogMissing
from wavescope.store.layout import StorePaths


def open_catalog(config: Config) -> Catalog:
    """The catalog, made if the store is new. Raises CatalogMissing, CatalogDamaged, InvalidParameter, Unavailable."""
    url = url_of(config)
    found = versions_in(config.store)
    if found and not config.new_catalog and not has_tables(url):
        raise CatalogMissing(config.catalog.split("@")[-1] or config.store / "catalog.sqlite", len(found))
    return Catalog.open(config.catalog or config.store, trust_seconds=config.catalog_seconds)


def url_of(config: Config) -> str:
    """The catalog's database."""
    return config.catalog or f"sqlite:///{config.store / 'catalog.sqlite'}"


def versions_in(store: Path) -> list[str]:
    """The digests of all slide versions in a store, those written last at the end."""
    found = StorePaths(store).slides.glob("*/manifest.json")
    return [path.parent.name for path in sorted(found, key=lambda path: (path.stat().st_mtime, path.parent.name))]

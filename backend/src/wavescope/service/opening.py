"""Opening the catalog of a store, which must not be a new, empty one where slides are stored already (ST70), and the
connection to a collector of traces.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.health import has_tables
from wavescope.config import Config
from wavescope.config.setting import PREFIX
from wavescope.errors import CatalogMissing, InvalidParameter
from wavescope.store.layout import StorePaths

if TYPE_CHECKING:
    from wavescope.logs.spans import Spans


def open_catalog(config: Config) -> Catalog:
    """The catalog, made if the store is new. Raises CatalogMissing, CatalogDamaged, InvalidParameter, Unavailable."""
    url = url_of(config)
    found = versions_in(config.store)
    if found and not config.new_catalog and not has_tables(url):
        raise CatalogMissing(config.catalog.split("@")[-1] or config.store / "catalog.sqlite", len(found))
    return Catalog.open(config.catalog or config.store, trust_seconds=config.catalog_seconds)


def open_spans(config: Config) -> Spans | None:
    """Where spans are sent; None without traces: then OpenTelemetry is not loaded. Raises InvalidParameter."""
    if not config.traces_endpoint:
        return None
    name = PREFIX + "TRACES_ENDPOINT"
    if not config.traces_endpoint.startswith(("http://", "https://")):
        raise InvalidParameter(name, "...", "a URL that begins with http:// or https://")
    try:
        from wavescope.logs.spans import Spans
    except ImportError as cause:
        raise InvalidParameter(name, "...", 'no value without the extra: pip install "wavescope[traces]"') from cause
    return Spans(config.traces_endpoint, config.traces_ratio, metadata.version("wavescope"))


def url_of(config: Config) -> str:
    """The catalog's database."""
    return config.catalog or f"sqlite:///{config.store / 'catalog.sqlite'}"


def versions_in(store: Path) -> list[str]:
    """The digests of all slide versions in a store, those written last at the end."""
    found = StorePaths(store).slides.glob("*/manifest.json")
    return [path.parent.name for path in sorted(found, key=lambda path: (path.stat().st_mtime, path.parent.name))]

"""The configuration of a command; apart from ``store``, which needs the catalog and its libraries."""

from __future__ import annotations

from pathlib import Path

from wavescope.config import Config


def config_of(store: Path | None) -> Config:
    """--store, else $WAVESCOPE_STORE, else ./.wavescope; the rest from the environment."""
    return Config.from_env() if store is None else Config.from_env(store=store)

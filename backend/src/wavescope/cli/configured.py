"""The configuration of a command; apart from ``store``, which needs the catalog and its libraries."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from wavescope.config import Config
from wavescope.store.objects.location import is_location


def config_of(arguments: argparse.Namespace) -> Config:
    """The options of the command, then the environment, then the configuration file, then the defaults."""
    return Config.from_env(None, **flags_of(arguments))


def flags_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The settings that every command has as options."""
    store = arguments.store
    if store is not None and is_location(store):
        return {"config": arguments.config, "slide_store": store}
    return {"config": arguments.config, "store": None if store is None else Path(store)}

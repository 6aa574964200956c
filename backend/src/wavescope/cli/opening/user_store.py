"""The store of a user who named none."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def user_store(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder for slides among the user's data, as the system has it (IN11)."""
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Wavescope"
    named = Path(environ.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".local" / "share") / "wavescope"

"""The options of ``wavescope export``."""

from __future__ import annotations

import argparse
from pathlib import Path


def export_options(parser: argparse.ArgumentParser) -> None:
    """Adds them."""
    parser.add_argument("id", metavar="ID")
    parser.add_argument("target", metavar="DIR|FILE.wsz", type=Path, help="a new folder, or one file ending in .wsz")
    parser.add_argument(
        "--page",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="also write the viewer's page into the folder (default for a folder: yes)",
    )
    parser.add_argument(
        "--annotations", action="store_true", help="also write the annotations, without the names of their authors"
    )
    parser.add_argument("--overlays", action="store_true", help="also write the overlays, without who added them")
    parser.add_argument("--replace", action="store_true", help="replace an export of before")

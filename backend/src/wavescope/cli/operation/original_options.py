"""The options of ``wavescope original``."""

from __future__ import annotations

import argparse
from pathlib import Path


def original_options(parser: argparse.ArgumentParser) -> None:
    """Adds them."""
    parser.add_argument("id", metavar="ID")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the original file to FILE (logged)")
    action.add_argument("--drop", action="store_true", help="delete it permanently; the slide stays")

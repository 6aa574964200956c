"""The options of ``wavescope open``."""

from __future__ import annotations

import argparse
from pathlib import Path


def open_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="*", type=Path, help="a slide file or a folder of one; none: the gallery"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    parser.add_argument("--port", type=int, help="port to bind to (default: 8000 if it is free, else any free one)")

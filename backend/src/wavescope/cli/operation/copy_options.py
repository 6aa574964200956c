"""The options of ``wavescope copy``."""

from __future__ import annotations

import argparse
from typing import Any


def copy_options(commands: Any, *parents: argparse.ArgumentParser) -> None:
    """Adds the command. It names two stores, so that ``--store`` is no option of it."""
    text = "copy slide versions between stores, verified"
    parser = commands.add_parser("copy", help=text, description=text, parents=list(parents))
    parser.set_defaults(run="operation.copy:run", takes_store=False)
    where = "a store's folder or s3://BUCKET/PREFIX"
    parser.add_argument("source", metavar="FROM", help=where)
    parser.add_argument("target", metavar="TO", help=where)
    parser.add_argument(
        "--originals",
        action="store_true",
        help="copy all original files too; without it none is copied, so that the copy may be public",
    )
    parser.add_argument("--overlays", action="store_true", help="copy all overlays too")
    parser.add_argument(
        "--identity",
        action="store_true",
        help="copy label, macro picture and identifying texts too; without it the copy has none of them",
    )
    parser.add_argument("digests", metavar="DIGEST", nargs="*", help="the versions to copy (default: all)")

"""The options of ``wavescope copy``."""

from __future__ import annotations

import argparse


def copy_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to the parser of the command."""
    where = "a store's folder or s3://BUCKET/PREFIX"
    parser.add_argument("source", metavar="FROM", help=where)
    parser.add_argument("target", metavar="TO", help=where)
    parser.add_argument("digests", metavar="DIGEST", nargs="*", help="the versions to copy (default: all)")

"""The options of ``wavescope edge``."""

from __future__ import annotations

import argparse


def edge_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to the parser of the command."""
    parser.add_argument(
        "--origin",
        action="append",
        metavar="URL",
        help="a service that holds the slides; given several times, the first one answers everything but slides",
    )
    parser.add_argument("--host", help="address to bind to (default: 127.0.0.1)")
    parser.add_argument("--port", help="port to bind to (default: 8000)")
    parser.add_argument("--cache", metavar="DIR", help="folder of the cache (default: .wavescope-edge)")
    parser.add_argument("--memory", metavar="SIZE", help="cache in memory (default: 256 MiB)")
    parser.add_argument("--disk", metavar="SIZE", help="cache on disk (default: 10 GiB; 0: none)")
    parser.add_argument("--policy", help="which entry a full cache gives up: lru, fifo, random or sieve (default)")

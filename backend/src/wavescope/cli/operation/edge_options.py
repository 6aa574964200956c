"""The options of ``wavescope edge``."""

from __future__ import annotations

import argparse
from typing import Any


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
    actions = parser.add_subparsers(metavar="warm|origins", title="commands for an edge that runs")
    _warm_options(actions)
    _origin_options(actions)


def _origin_options(actions: Any) -> None:
    text = "list the origins of an edge that runs, add one, or remove one; until the edge is restarted"
    origins = actions.add_parser("origins", help=text, description=text)
    origins.set_defaults(run="operation.edge_origins:run")
    origins.add_argument("action", nargs="?", choices=("list", "add", "remove"), default="list")
    origins.add_argument("url", nargs="?", metavar="URL", default="")
    origins.add_argument("--cache", metavar="DIR", default=argparse.SUPPRESS, help="folder of the edge's cache")


def _warm_options(actions: Any) -> None:
    text = "fetch a slide, the slides of a case or of a session through an edge; what is cached costs nothing"
    warm = actions.add_parser("warm", help=text, description=text)
    warm.set_defaults(run="operation.edge_warm:run")
    warm.add_argument("id", metavar="ID|CASE|SESSION")
    warm.add_argument("--edge", metavar="URL", default="http://127.0.0.1:8000", help="default: http://127.0.0.1:8000")
    warm.add_argument("--token", help="a token of an account that sees the slides (default: WAVESCOPE_TOKEN)")
    warm.add_argument("--level", type=int, default=0, metavar="N", help="the finest level (default: 0, all)")
    warm.add_argument("--layers", type=int, metavar="K", help="layers of each block (default: all)")
    warm.add_argument("--bytes", metavar="SIZE", help="end after so many bytes (default: none)")

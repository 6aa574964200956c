"""The parameters of ``wavescope workload``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from wavescope_lab.workload.markov import Reading
from wavescope_lab.workload.sweep import Pattern

PATTERNS = {"both": tuple(Pattern), **{pattern.value: (pattern,) for pattern in Pattern}}
KINDS = ("blocks", "dzi", "iiif")


def add_workload(commands: Any, json: argparse.ArgumentParser) -> None:
    """Add the command with its two verbs to the commands of the program."""
    text = "the workload of pathologists: make a trace, replay it against a server"
    parser = commands.add_parser("workload", help=text, description=text)
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _trace(_verb(verbs, "trace", "write a trace: one request in each line, as JSON"))
    _replay(_verb(verbs, "replay", "replay a trace over HTTP and measure response times, bytes and hit ratio", json))


def _verb(verbs: Any, name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text, parents=list(parents))
    parser.set_defaults(package="wavescope_lab.cli", run=f"workload.run:{name}", takes_store=False)
    return parser


def _trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="of the trace")
    parser.add_argument("--slide", metavar="ID", required=True, help="of the service; any word for a DZI or IIIF")
    parser.add_argument("--size", metavar="WxH", type=_size, required=True, help="level-0 pixels of the slide")
    parser.add_argument("--clients", type=int, default=8, metavar="N", help="default: 8")
    parser.add_argument("--requests", type=int, default=20, metavar="N", help="of each client (default: 20)")
    parser.add_argument("--seed", type=int, default=1998, metavar="N", help="default: 1998")
    parser.add_argument("--pattern", choices=PATTERNS, default="both", help="sweeps; both: clients take them in turn")
    parser.add_argument(
        "--reading",
        type=Reading,
        choices=list(Reading),
        default=Reading.MAGNIFICATION,
        help="which level the first row of the matrix is: magnification: the finest (default); zoom: the coarsest",
    )
    parser.add_argument(
        "--view", metavar="WxH", type=_size, default=(1000, 1000), help="pixels of a full view (default: 1000x1000)"
    )


def _replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="of the trace")
    parser.add_argument("url", metavar="URL", help="of the service or edge; of the .dzi; of the info.json")
    parser.add_argument("--kind", choices=KINDS, help="of server (default: by the end of URL, else blocks)")
    parser.add_argument("--fetch", choices=("get", "batch"), default="batch", help="how blocks are requested")
    parser.add_argument("--layers", type=int, metavar="K", help="only the first K layers (default: all)")
    parser.add_argument("--clients", type=int, metavar="N", help="only the first N clients of the trace")
    parser.add_argument("--think", type=float, default=1.0, metavar="F", help="factor of the think times (default: 1)")
    parser.add_argument(
        "--seconds", type=float, default=3600.0, metavar="S", help="end after this time (default: 3600)"
    )
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="with a personal token or a link's token")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write report.json and response.svg to this folder")


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9]\d{0,7})x([1-9]\d{0,7})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 17408x14336")
    return int(match[1]), int(match[2])

"""The parameters of ``wavescope plan``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any, NamedTuple

from wavescope_lab.planning.search import MAX_BUSY
from wavescope_lab.planning.situation import NUMBERS

PERCENTS = (50, 95, 99)


class LinkChoice(NamedTuple):
    """A link that can be had: Mbit/s, round trip in ms, price of one in a month."""

    mbit: float
    milliseconds: float
    price: float


def add_plan(commands: Any, json: argparse.ArgumentParser) -> None:
    """Add the command to the commands of the program."""
    text = "find the cheapest nodes, edges and caches with which answers are fast enough"
    parser = commands.add_parser("plan", help=text, description=text, parents=[json])
    parser.set_defaults(package="wavescope_lab.cli", run="plan.run:plan", takes_store=False)
    parser.add_argument("--clients", type=int, required=True, metavar="C", help=NUMBERS["clients"].meaning)
    parser.add_argument(
        "--mean-seconds", type=float, required=True, metavar="Q", help="the goal: mean time of an answer, s"
    )
    parser.add_argument(
        "--percent", type=int, choices=PERCENTS, default=95, help="of the answers, for --percent-seconds (default: 95)"
    )
    parser.add_argument(
        "--percent-seconds", type=float, default=0.0, metavar="S", help="also: so many answers within S seconds"
    )
    parser.add_argument(
        "--most-busy",
        type=float,
        default=MAX_BUSY,
        metavar="SHARE",
        help=f"no part is busy for more than this share of the time (default: {MAX_BUSY})",
    )
    parser.add_argument(
        "--link",
        type=_link,
        action="append",
        default=None,
        metavar="MBIT[,MS[=PRICE]]",
        help="link of a site: 100Mbit,20ms; its price in a month as =PRICE; more than one: the cheapest is chosen",
    )
    for name, number in NUMBERS.items():
        if name not in ("clients", "link_mbit", "link_ms"):
            option = f"--{name.replace('_', '-')}"
            text = f"{number.meaning} (default: {number.default:.4g})"
            parser.add_argument(
                option, type=int if number.integer else float, metavar="N", help=text.replace("%", "%%")
            )
    parser.add_argument("--times", type=Path, metavar="FILE", help="measured component times, in TOML")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="prices, in TOML")
    parser.add_argument("--seed", type=int, default=1998, metavar="N", help="of the simulation (default: 1998)")
    parser.add_argument("--no-simulation", action="store_true", help="only formulas: an answer at once")
    parser.add_argument("--plot", type=Path, metavar="OUT", help="write the curves: .svg, .png or .pdf")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def _link(text: str) -> LinkChoice:
    number = r"(\d+(?:\.\d+)?)"
    match = re.fullmatch(rf"{number}(?:mbit)?(?:,{number}(?:ms)?)?(?:={number})?", text, re.IGNORECASE)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a link like 100Mbit,20ms or 1000Mbit,20ms=300")
    return LinkChoice(float(match[1]), float(match[2] or NUMBERS["link_ms"].default), float(match[3] or 0))

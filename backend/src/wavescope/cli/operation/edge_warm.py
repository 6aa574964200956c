"""``wavescope edge warm``"""

from __future__ import annotations

import argparse
import asyncio
import os
from dataclasses import asdict

from wavescope.cli.output import DAMAGED, OK, print_stderr, result
from wavescope.config import all_settings
from wavescope.config.values import value_of_text
from wavescope.edge.warming import Warmed, WarmOptions, warm

TOKEN = "WAVESCOPE_TOKEN"


def run(arguments: argparse.Namespace) -> int:
    """Fill the cache of a running edge."""
    size = next(one for one in all_settings() if one.name == "edge_disk")
    most = float("inf") if arguments.bytes is None else float(value_of_text(size, "--bytes", arguments.bytes))
    options = WarmOptions(arguments.level, arguments.layers, most)
    token = arguments.token or os.environ.get(TOKEN, "")
    state = asyncio.run(_run(arguments.edge, token, arguments.id, options))
    result({name: value for name, value in asdict(state).items() if name not in ("slide", "of", "failures")})
    for reason, count in state.failures.items():
        print_stderr(f"{count} x {reason}")
    return DAMAGED if state.failed else OK


async def _run(url: str, token: str, name: str, options: WarmOptions) -> Warmed:
    state, shown = Warmed(), ""
    async for state in warm(url, token, name, options):
        line = f"{state.slide}: {state.blocks} of {state.of} blocks, {state.bytes / 1e6:.1f} MB"
        if line != shown:
            print_stderr(line)
            shown = line
    if not state.complete:
        print_stderr("the limit of bytes is reached; the same command with a higher one goes on")
    return state

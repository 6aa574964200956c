"""``wavescope edge origins``"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from wavescope.cli.output import OK, print_stderr, result
from wavescope.config import Config
from wavescope.edge.control import command
from wavescope.errors import InvalidParameter


def run(arguments: argparse.Namespace) -> int:
    """List, add or remove origins of a running edge."""
    action, url = arguments.action, arguments.url
    if bool(url) != (action != "list"):
        raise InvalidParameter(
            "URL", url, f"the address of an origin for add and remove, nothing for list, not {action}"
        )
    given = {"edge_cache": Path(arguments.cache)} if arguments.cache else {}
    folder = Config.from_env(None, config=arguments.config, **given).edge_cache
    if action == "remove":
        print_stderr("waiting for the requests in flight")
    origins = asyncio.run(command(folder, action, url))
    result({"origins": origins})
    if action != "list":
        print_stderr("until the edge is restarted: change edge_origins in its settings too")
    return OK

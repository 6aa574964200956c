"""``wavescope serve``"""

from __future__ import annotations

import argparse

from wavescope.cli.configured import flags_of
from wavescope.cli.output import OK, print_stderr
from wavescope.config import Config
from wavescope.errors import InvalidParameter


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from wavescope.main import serve

    if arguments.port is not None and not 0 <= arguments.port <= 65535:
        raise InvalidParameter("--port", arguments.port, "0 to 65535")
    config = Config.from_env(
        None,
        **flags_of(arguments),
        listen_host=arguments.host,
        listen_port=arguments.port,
        watch=arguments.watch,
        new_catalog=arguments.new_catalog or None,
    )
    if config.watch is not None and not config.watch.is_dir():
        raise InvalidParameter("--watch", str(config.watch), "a folder that exists")
    serve(config, lambda address: print_stderr(f"serving on {address} (Ctrl-C to stop)"))
    return OK

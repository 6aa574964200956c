"""``wavescope serve``"""

from __future__ import annotations

import argparse

from wavescope.cli.announcing import announce
from wavescope.cli.configured import flags_of
from wavescope.cli.output import OK
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

    def begun(address: str) -> None:
        announce(config.log_format, f"serving on {address} (Ctrl-C to stop)", "serving", address=address)

    serve(config, begun)
    return OK

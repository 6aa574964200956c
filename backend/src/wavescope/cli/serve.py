"""``wavescope serve``"""

from __future__ import annotations

import argparse

from wavescope.cli.output import OK, print_stderr
from wavescope.errors import InvalidParameter


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from wavescope.main import serve

    if not 0 <= arguments.port <= 65535:
        raise InvalidParameter("--port", arguments.port, "0 to 65535")
    if arguments.watch is not None and not arguments.watch.is_dir():
        raise InvalidParameter("--watch", str(arguments.watch), "a folder that exists")
    print_stderr(f"serving on http://{arguments.host}:{arguments.port} (Ctrl-C to stop)")
    serve(arguments.host, arguments.port, arguments.store, arguments.watch, arguments.new_catalog)
    return OK

"""``wavescope edge``"""

from __future__ import annotations

import argparse

from wavescope.cli.announcing import announce
from wavescope.cli.output import OK
from wavescope.config import Config, all_settings
from wavescope.config.values import shown, value_of_text


def run(arguments: argparse.Namespace) -> int:
    """Serve a cache in front of other services until interrupted."""
    from wavescope.edge.serving import serve_edge

    options = {
        "edge_origins": ",".join(arguments.origin) if arguments.origin else None,
        "edge_cache": arguments.cache,
        "edge_memory": arguments.memory,
        "edge_disk": arguments.disk,
        "edge_policy": arguments.policy,
        "listen_host": arguments.host,
        "listen_port": arguments.port,
    }
    declared = {one.name: one for one in all_settings()}
    flags = {
        name: value_of_text(declared[name], f"--{name.removeprefix('edge_').removeprefix('listen_')}", text)
        for name, text in options.items()
        if text is not None
    }
    config = Config.from_env(None, config=arguments.config, **flags)
    origins = shown(declared["edge_origins"], config.edge_origins)

    def begun(address: str) -> None:
        text = f"an edge of {origins} on {address} (Ctrl-C to stop)"
        announce(config.log_format, text, "serving as an edge", address=address, origins=origins)

    serve_edge(config, begun)
    return OK

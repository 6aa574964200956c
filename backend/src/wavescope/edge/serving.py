"""Starting an edge."""

from __future__ import annotations

from dataclasses import replace

from wavescope.config import Config
from wavescope.edge.app import build_edge
from wavescope.edge.composition import compose_edge
from wavescope.logs.lines import configure
from wavescope.main import LOOPBACK_NAMES, Announce, AnnouncingServer, is_loopback, server_config


def serve_edge(config: Config, announce: Announce) -> None:
    """Serves until it is interrupted. ``announce`` is called with the address, once it serves. Raises
    InvalidParameter.
    """
    configure(config.log_level, config.log_format)
    if not config.allowed_hosts and is_loopback(config.listen_host):
        config = replace(config, allowed_hosts=LOOPBACK_NAMES)
    app = build_edge(compose_edge(config))
    AnnouncingServer(server_config(app, config.listen_host, config.listen_port), announce).run()

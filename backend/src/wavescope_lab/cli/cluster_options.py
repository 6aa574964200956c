"""The options of ``wavescope cluster``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

FOLDER = Path(".wavescope-cluster")


def add_cluster(commands: Any, json: argparse.ArgumentParser) -> None:
    """Add the command with its verbs to the commands of the program."""
    text = "several nodes with a balancer, a database and an object store on this machine"
    parser = commands.add_parser("cluster", help=text, description=text)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--dir", type=Path, default=FOLDER, metavar="DIR", help=f"folder of the cluster (default: {FOLDER})"
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _up(_verb(verbs, "up", "start a cluster as plain processes on loopback, or continue one", common, json))
    _verb(verbs, "status", "show every part: address, process, state, restarts", common, json)
    down = _verb(verbs, "down", "stop every part; the data stays", common)
    down.add_argument("--purge", action="store_true", help="also delete the folder with all data of the cluster")
    restart = _verb(verbs, "restart", "restart the nodes, one after the other, or one part", common)
    restart.add_argument("name", nargs="?", metavar="PART", help="only this part, such as postgresql")
    for name, text in (("stop", "end one part until it is started again"), ("start", "start a part that was stopped")):
        _verb(verbs, name, text, common).add_argument("name", metavar="PART")
    policy = _verb(verbs, "policy", "list the policies by which requests are distributed, or change to one", common)
    policy.add_argument("name", nargs="?", metavar="NAME")
    policy.add_argument(
        "--print", action="store_true", dest="shown", help="print the explained configuration, change nothing"
    )
    one = _verb(verbs, "run", "run a command on the slides and accounts of the cluster", common)
    one.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND", help="such as: user add NAME --role admin")
    node = verbs.add_parser("node", help="add, remove or restart a node", description="add, remove or restart a node")
    actions = node.add_subparsers(metavar="ACTION", required=True)
    for action, text in (
        ("add", "start a further node and send requests to it"),
        ("remove", "send no more requests to a node and end it in order"),
        ("restart", "end a node in order and start it again"),
    ):
        one = _verb(actions, action, text, common)
        one.set_defaults(run=f"cluster:{action}_node")
        one.add_argument("name", metavar="NAME", nargs="?" if action == "add" else None)


def _verb(verbs: Any, name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
    added: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text, parents=list(parents))
    added.set_defaults(package="wavescope_lab.cli", run=f"cluster:{name}", takes_store=False)
    return added


def _up(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nodes", type=int, metavar="N", help="nodes of a new cluster (default: 2)")
    parser.add_argument("--port", type=int, metavar="P", help="port of the balancer, with TLS (default: 8443)")
    parser.add_argument("--dask-workers", type=int, metavar="N", help="Dask workers for imports (default: 0)")
    parser.add_argument("--open", action="store_true", default=None, help="without accounts: anyone may do everything")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="certificate and key (default: self-signed)")
    parser.add_argument("--scrape-seconds", type=float, metavar="S", help="time between two scrapes (default: 5)")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings in TOML for all nodes")
    parser.add_argument(
        "--without", action="append", choices=("rates", "prometheus"), help="leave out Redis or Prometheus"
    )
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="STORE", help="a new cluster begins with the content of this store"
    )
    parser.add_argument("--foreground", action="store_true", help="stay until interrupted, then stop every part")

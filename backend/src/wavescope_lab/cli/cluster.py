"""``wavescope cluster``"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from wavescope.cli.output import DAMAGED, OK, USER_ERROR, print_line, print_stderr, result
from wavescope.errors import InvalidParameter
from wavescope_lab.cluster import control, serving, state
from wavescope_lab.cluster.composition import context_of
from wavescope_lab.cluster.description import FILE, Cluster, check, first_names, is_free, load
from wavescope_lab.cluster.distribution.configuration import configuration
from wavescope_lab.cluster.distribution.plan import read_plan
from wavescope_lab.cluster.distribution.policies import POLICIES
from wavescope_lab.cluster.parts.nodes import SETTINGS, command_environment
from wavescope_lab.cluster.preparing import ADMIN, make_folder, take_password
from wavescope_lab.errors import NoCluster, PartFailed

NODES, PORT = 2, 8443


def up(arguments: argparse.Namespace) -> int:
    """Start every part, in the background unless ``--foreground``; a cluster that runs is shown."""
    folder = arguments.dir.absolute()
    if control.runs(folder):
        print_stderr(f"the cluster in {folder} runs already")
        return _show(arguments, control.request(folder, "status", print_stderr))
    for name in state.end_left_over(folder):
        print_stderr(f"{name}: was left over, ended")
    cluster = _described(arguments, folder)
    context_of(cluster)  # every program is there
    if arguments.foreground:
        fault = serving.supervise(folder, print_stderr)
        return OK if fault is None else USER_ERROR
    serving.begin(cluster)
    try:
        ready = control.request(folder, "ready", print_stderr)
    except PartFailed:
        state.wait_for_end(state.load(folder))
        raise
    if password := take_password(folder):
        print_stderr(f"the first account is {ADMIN}, its password {password} (shown this once)")
    return _show(arguments, ready)


def status(arguments: argparse.Namespace) -> int:
    """Every part; exit code 1 if one cannot be used."""
    found = control.request(arguments.dir.absolute(), "status", print_stderr)
    _show(arguments, found)
    return OK if found["healthy"] else DAMAGED


def down(arguments: argparse.Namespace) -> int:
    """Stop every part; a cluster that does not run is no error with ``--purge``."""
    folder = arguments.dir.absolute()
    processes = state.load(folder)
    try:
        control.request(folder, "down", print_stderr)
        state.wait_for_end(processes)
    except NoCluster:
        if not state.end_left_over(folder) and not arguments.purge:
            raise
    if arguments.purge:
        if not (folder / FILE).exists():
            raise InvalidParameter("--dir", str(folder), "the folder of a cluster")
        shutil.rmtree(folder)
    return OK


def restart(arguments: argparse.Namespace) -> int:
    """One part, or the nodes one after the other."""
    do, values = ("restart", {"name": arguments.name}) if arguments.name else ("rolling", {})
    control.request(arguments.dir.absolute(), do, print_line, **values)
    return OK


def stop(arguments: argparse.Namespace) -> int:
    """One part, until it is started again."""
    control.request(arguments.dir.absolute(), "stop", print_line, name=arguments.name)
    return OK


def start(arguments: argparse.Namespace) -> int:
    """A part that was stopped."""
    return restart(arguments)


def policy(arguments: argparse.Namespace) -> int:
    """Change to a policy, or print its configuration; without a name, all of them, the present one marked."""
    folder = arguments.dir.absolute()
    if arguments.shown:
        plan = read_plan(folder / "balancer")
        sys.stdout.write(configuration(replace(plan, policy=arguments.name or plan.policy)))
        return OK
    if arguments.name:
        control.request(folder, "policy", print_line, name=arguments.name)
        return OK
    present = control.request(folder, "status", print_line)["policy"]
    for one in POLICIES.values():
        print_line(f"{'*' if one.name == present else ' '} {one.name:12} {one.summary}")
    return OK


def run(arguments: argparse.Namespace) -> int:
    """Another command of ``wavescope``, with the settings of the cluster."""
    folder = arguments.dir.absolute()
    cluster = load(folder)
    if cluster is None or not control.runs(folder):
        raise NoCluster(folder)
    words = arguments.words[1:] if arguments.words[:1] == ["--"] else arguments.words
    (folder / "commands").mkdir(exist_ok=True)
    environment = command_environment(context_of(cluster))
    return subprocess.run([sys.executable, "-m", "wavescope.cli", *words], env=environment, check=False).returncode


def add_node(arguments: argparse.Namespace) -> int:
    """A further node."""
    control.request(arguments.dir.absolute(), "add", print_line, name=arguments.name or "")
    return OK


def remove_node(arguments: argparse.Namespace) -> int:
    """One node less."""
    control.request(arguments.dir.absolute(), "remove", print_line, name=arguments.name)
    return OK


def restart_node(arguments: argparse.Namespace) -> int:
    """The same node anew."""
    return restart(arguments)


def _described(arguments: argparse.Namespace, folder: Path) -> Cluster:
    """The description that is there, with what the options change; saved."""
    found = load(folder)
    if found is not None and arguments.nodes is not None and arguments.nodes != len(found.nodes):
        raise InvalidParameter("--nodes", arguments.nodes, "for a new cluster; see: wavescope cluster node add")
    if found is not None and arguments.source is not None and str(arguments.source.absolute()) != found.source:
        raise InvalidParameter("--from", str(arguments.source), "a store for a new cluster")
    cluster = found or Cluster(folder, arguments.port or PORT, first_names(arguments.nodes or NODES))
    given = {
        "port": arguments.port,
        "dask_workers": arguments.dask_workers,
        "access": "local" if arguments.open else None,
        "certificate": str(arguments.certificate.absolute()) if arguments.certificate else None,
        "source": str(arguments.source.absolute()) if arguments.source else None,
        "scrape_seconds": arguments.scrape_seconds,
        "without": tuple(arguments.without) if arguments.without else None,
    }
    cluster = check(replace(cluster, **{name: value for name, value in given.items() if value is not None}))
    if not is_free(cluster.port):
        raise InvalidParameter("--port", cluster.port, "a port on which no other program listens")
    make_folder(folder)
    if arguments.settings is not None:
        shutil.copyfile(arguments.settings, folder / SETTINGS)
    free = {name: port for name, port in cluster.ports.items() if is_free(port)}
    cluster = replace(cluster, ports=free).with_ports()
    cluster.save()
    return cluster


def _show(arguments: argparse.Namespace, found: dict[str, Any]) -> int:
    if arguments.json:
        result(found)
        return OK
    for part in found["parts"]:
        process = f"pid {part['pid']}" if part["pid"] else ""
        print_line(
            f"{part['name']:14} {part['address']:22} {part['state']:10} {process:12} restarts {part['restarts']}"
            + (f"  {' '.join(part['reason'].split())}" if part["reason"] else "")
        )
    print_line(found["url"])
    sys.stdout.flush()
    return OK

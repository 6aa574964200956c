"""The process of the balancer: its files, its start, and a change of its configuration without a failed request."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from wavescope.errors import Unavailable
from wavescope_lab.cluster.distribution.configuration import configuration
from wavescope_lab.cluster.distribution.plan import Plan, read_plan, write_plan
from wavescope_lab.cluster.distribution.policies import policy_of
from wavescope_lab.cluster.programs import find_program
from wavescope_lab.errors import RejectedConfiguration

FILE = "haproxy.cfg"
START_SECONDS = 10.0
STOP_SECONDS = 5.0
MASTER_SOCKET = "master.sock"


def write(plan: Plan) -> Path:
    """Writes the files of a plan; the configuration, as HAProxy accepts it. RejectedConfiguration, MissingProgram."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    path, new = plan.folder / FILE, plan.folder / f"{FILE}.new"
    new.write_text(configuration(plan))
    checked = subprocess.run(
        [find_program("haproxy"), "-c", "-f", new], capture_output=True, text=True, timeout=60, check=False
    )
    if checked.returncode:
        new.unlink()
        raise RejectedConfiguration(" ".join((checked.stderr or checked.stdout).split()))
    new.replace(path)
    write_plan(plan)
    return path


def start(plan: Plan) -> subprocess.Popen[bytes]:
    """Starts the balancer, a master and its worker; returns when its port accepts connections.

    Raises RejectedConfiguration, MissingProgram, Unavailable.
    """
    path = write(plan)
    with (plan.folder / "haproxy.log").open("ab") as log:
        command = [find_program("haproxy"), "-W", "-S", str(plan.folder / MASTER_SOCKET), "-f", str(path)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    deadline = time.monotonic() + START_SECONDS
    while not (_accepts(plan) and workers(plan.folder)):
        if process.poll() is not None or time.monotonic() > deadline:
            stop(process.pid)
            raise Unavailable("the balancer", f"it does not start; see {plan.folder / 'haproxy.log'}")
        time.sleep(0.02)
    return process


def switch(plan: Plan, pid: int) -> None:
    """The balancer with this master process goes on with another plan; no request fails (CL82). Returns when the new
    worker serves. Raises RejectedConfiguration, MissingProgram, Unavailable.
    """
    before = workers(plan.folder)
    write(plan)
    try:
        os.kill(pid, signal.SIGUSR2)
    except ProcessLookupError as cause:
        raise Unavailable("the balancer", "it does not run") from cause
    deadline = time.monotonic() + START_SECONDS
    while not workers(plan.folder) - before:
        if time.monotonic() > deadline:
            raise Unavailable("the balancer", f"it does not reload; see {plan.folder / 'haproxy.log'}")
        time.sleep(0.02)


def change_policy(folder: Path, name: str) -> Plan:
    """The running balancer of this folder goes on with another policy; its plan. Raises InvalidParameter, Unavailable,
    RejectedConfiguration, MissingProgram.
    """
    plan = replace(read_plan(folder), policy=policy_of(name).name)
    try:
        pid = int(ask(folder / MASTER_SOCKET, "show proc").split("\n")[1].split()[0])
    except (OSError, IndexError, ValueError) as cause:
        raise Unavailable("the balancer", "it does not run") from cause
    switch(plan, pid)
    return plan


def stop(pid: int) -> None:
    """Ends the balancer in order, its workers with it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline:
            if _ended(pid):
                return
            time.sleep(0.02)


def workers(folder: Path) -> set[int]:
    """The processes of the current workers; empty while the master reloads."""
    try:
        text = ask(folder / MASTER_SOCKET, "show proc")
    except OSError:
        return set()
    current = text.partition("# workers")[2].partition("# old workers")[0]
    return {int(line.split()[0]) for line in current.splitlines() if line.strip() and line.split()[0].isdigit()}


def ask(path: Path, command: str) -> str:
    """The answer of one of HAProxy's sockets to a command. Raises OSError."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(str(path))
        connection.sendall(command.encode() + b"\n")
        if path.name == MASTER_SOCKET:  # which would wait for further commands
            connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts).decode(errors="replace")


def _accepts(plan: Plan) -> bool:
    host = plan.host.strip("[]") if plan.host not in ("0.0.0.0", "[::]") else "127.0.0.1"
    try:
        socket.create_connection((host, plan.port), 0.2).close()
    except OSError:
        return False
    return True


def _ended(pid: int) -> bool:
    """Whether a process has ended; a child of this one is waited for."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False

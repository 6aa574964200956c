"""The profile ``cluster`` of docker-compose: valid, with settings that exist and a generated balancer (CL77)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from wavescope.config import all_settings
from wavescope_lab.cluster.distribution.configuration import configuration
from wavescope_lab.cluster.distribution.plan import Node, Plan

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "shared/operations/compose/cluster"
COMPOSE = shutil.which("docker-compose")


def plan() -> Plan:
    return Plan(
        (Node("node1", "node1", 8000), Node("node2", "node2", 8000)),
        Path("/var/lib/haproxy"), 8443, 8404, 10000, "0.0.0.0", Path("/run/secrets/balancer_certificate"),
    )  # fmt: skip


def generated() -> str:
    """The metrics are for the network of the containers, not for the balancer's alone."""
    return configuration(plan()).replace("bind 127.0.0.1:8404", "bind :8404")


def services(*profile: str) -> dict[str, Any]:
    if COMPOSE is None:
        pytest.skip("docker-compose is not installed")
    command = [COMPOSE, *(part for one in profile for part in ("--profile", one)), "config"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = yaml.safe_load(done.stdout)["services"]
    return found


STARTED = """
import sys
from compose.cli.command import get_profiles_from_options
from compose.config import config
from compose.config.environment import Environment
environment = Environment.from_env_file(".")
on = set(get_profiles_from_options({"--profile": sys.argv[1:]}, environment))
found = config.load(config.find(".", None, environment)).services
print(*(one["name"] for one in found if not one.get("profiles") or on & set(one["profiles"])))
"""


def started(*profile: str) -> set[str]:
    """What ``docker-compose up`` starts: asked of it from version 2 on, else of its own modules."""
    if COMPOSE is None:
        pytest.skip("docker-compose is not installed")
    head = Path(COMPOSE).read_bytes()[:100].split(b"\n")[0].decode(errors="replace")
    named = [part for one in profile for part in ("--profile", one)]
    command = (
        [*head[2:].split(), "-c", STARTED, *profile] if head[:2] == "#!" else [COMPOSE, *named, "config", "--services"]
    )
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.slow
def test_without_a_profile_one_node_starts_and_with_the_cluster_it_does_not_cl77() -> None:
    assert started() == {"wavescope"}
    assert started("cluster") == set(services("cluster")) - {"wavescope"}


def test_the_profile_is_valid_and_listens_on_loopback_cl77() -> None:
    found = services("cluster")
    parts = {"node1", "node2", "balancer", "cluster-database", "object-store", "rates", "prometheus", "grafana"}
    assert parts | {"dask-scheduler", "dask-worker"} <= set(found)
    for one in found.values():
        assert all(str(port).startswith("127.0.0.1:") for port in one.get("ports", ()))
    for name in ("node1", "node2"):
        own = found[name]["environment"]
        assert (own["WAVESCOPE_NODE_NAME"], own["WAVESCOPE_NODE_URL"]) == (name, f"http://{name}:8000")


def test_every_setting_exists_cl77() -> None:
    known = {one.environment for one in all_settings()} | {"WAVESCOPE_CONFIG"}
    text = (FOLDER / "node.env").read_text() + (ROOT / "docker-compose.yml").read_text()
    assert set(re.findall(r"WAVESCOPE_\w+", text)) <= known


def test_the_balancer_is_the_generated_one_cl77() -> None:
    assert (FOLDER / "haproxy.cfg").read_text() == generated()


def test_every_part_that_prometheus_scrapes_and_every_file_is_there_cl77() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    scraped = re.findall(r'targets: \["([\w-]+):\d+"', (FOLDER / "prometheus.yml").read_text())
    assert scraped == ["node1", "node2", "balancer", "dask-scheduler", "dask-worker"]
    for path in re.findall(r"- \./(\S+?):/", text):
        assert (ROOT / path).exists()
    for file in re.findall(r"/etc/wavescope\}/(\S+)", text):
        assert f"> {file}" in (FOLDER / "README.md").read_text() or file == "metrics-token"


@pytest.mark.slow
def test_nodes_import_on_dask_cl77() -> None:
    found = services("cluster")
    address = found["node1"]["environment"]["WAVESCOPE_DASK_SCHEDULER"]
    host, _, port = address.removeprefix("tcp://").partition(":")
    assert host in found
    assert port in found[host]["command"]
    assert address in " ".join(found["dask-worker"]["command"])


if __name__ == "__main__":
    (FOLDER / "haproxy.cfg").write_text(generated())

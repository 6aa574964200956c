"""A whole cluster on loopback: up, changed, restarted, down."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from cluster.clusters import Made, cluster, command, require_programs
from wavescope_lab.cluster.state import load

pytestmark = pytest.mark.slow

API = "/api/v1"


@pytest.fixture(scope="module")
def made() -> Iterator[Made]:
    with cluster("--nodes", "2", "--dask-workers", "1") as found:
        yield found


@contextmanager
def signed_in(made: Made) -> Iterator[httpx.Client]:
    """A browser in which the first admin has signed in."""
    with made.client(headers={"origin": made.url}) as client:
        answer = client.post(f"{API}/sign-in", json={"name": "admin", "password": made.password()})
        assert answer.status_code == 200, answer.text
        yield client


def until(condition: object, seconds: float = 40.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_every_part_runs_and_answers_cl60_cl62(made: Made) -> None:
    status = made.status()
    names = {part["name"] for part in status["parts"]}
    expected = "postgresql object-store rates scheduler worker1 node1 node2 balancer prometheus"
    assert names == set(expected.split())
    assert status["healthy"]
    assert all(part["address"].startswith("127.0.0.1:") and part["pid"] for part in status["parts"])
    with made.client() as client:
        assert client.get("/readyz").json()["status"] == "ready"
        assert client.get("/metrics").status_code == 401  # accounts


def test_the_balancer_speaks_http_2_cl60(made: Made) -> None:
    context = made.trust()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", made.port), 10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        assert secure.selected_alpn_protocol() == "h2"
        assert secure.version() in ("TLSv1.2", "TLSv1.3")


def test_no_password_is_in_a_command_line_or_in_an_open_file_cl66(made: Made) -> None:
    for path in (made.folder / name for name in ("cluster.json", "secrets.json", "balancer/certificate.pem")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    words = [*(made.folder / "secrets.json").read_text().split('"')[3::4], made.password()]
    assert len(words) == 4
    lines = [Path(f"/proc/{one.pid}/cmdline").read_text() for one in load(made.folder).values()]
    assert len(lines) == 10
    assert not [line for line in lines for word in words if word in line]
    assert not (made.folder / "first-password").exists()


def test_a_node_that_is_killed_costs_no_get_cl63_cl69(made: Made) -> None:
    before = made.part("node1")
    with Load(made) as load_:
        os.kill(before["pid"], signal.SIGKILL)
        until(lambda: made.part("node1")["restarts"] > before["restarts"] and made.status()["healthy"])
    assert load_.statuses == {200}
    assert load_.count > 50


def test_a_rolling_restart_and_a_changed_number_of_nodes_cost_no_get_cl67_cl68(made: Made) -> None:
    with Load(made) as load_:
        added = made.run("node", "add").stdout
        assert "node3" in added
        assert "server node3" in (made.folder / "balancer" / "haproxy.cfg").read_text()
        assert [line.split(":")[0] for line in made.run("restart").stdout.splitlines()] == ["node1", "node2", "node3"]
        made.run("node", "remove", "node3")
    assert load_.statuses == {200}
    assert {"node1", "node2"} == {part["name"] for part in made.status()["parts"] if part["kind"] == "node"}
    assert "server node3" not in (made.folder / "balancer" / "haproxy.cfg").read_text()
    refused = made.run("node", "remove", "node3", code=2).stderr
    assert "expected one of node1, node2" in refused


def test_a_changed_policy_costs_no_get_and_stays_cl86(made: Made) -> None:
    with Load(made) as load_:
        made.run("policy", "lard")
    assert load_.statuses == {200}
    assert "hash-balance-factor" in (made.folder / "balancer" / "haproxy.cfg").read_text()
    assert "* lard" in made.run("policy").stdout
    assert "expected least-connections | round-robin | weighted" in made.run("policy", "fastest", code=2).stderr


def test_while_the_database_is_restarted_nodes_answer_and_say_when_to_try_again_cl70(made: Made) -> None:
    with signed_in(made) as client:
        restarting = threading.Thread(target=made.run, args=("restart", "postgresql"))
        restarting.start()
        answers = []
        while restarting.is_alive():
            answers.append(client.get(f"{API}/slides"))
        restarting.join()
        failed = [answer for answer in answers if answer.status_code != 200]
        assert {answer.json()["type"] for answer in failed} <= {"/problems/unavailable"}
        assert all(answer.headers["retry-after"] for answer in failed)
        until(lambda: client.get(f"{API}/slides").status_code == 200, 5.0)


def test_down_leaves_the_data_and_up_continues_with_it_cl64(made: Made) -> None:
    with signed_in(made) as client:
        assert client.post(f"{API}/cases", json={"title": "Kidney"}).status_code in (200, 201)
    stopped = [line.split(":")[1].strip() for line in made.run("down").stderr.splitlines()]
    order = {name: place for place, name in enumerate(stopped)}
    assert order["balancer"] < order["node1"] < order["postgresql"]
    assert load(made.folder) == {}
    assert "no cluster runs" in made.run("status", code=2).stderr
    made.up()
    assert made.status()["healthy"]
    with signed_in(made) as client:
        assert [case["title"] for case in client.get(f"{API}/cases").json()["cases"]] == ["Kidney"]


def test_a_stopped_part_stays_stopped_until_it_is_started_cl73(made: Made) -> None:
    made.run("stop", "rates")
    assert (made.part("rates")["state"], made.run("status", code=1).returncode) == ("stopped", 1)
    with made.client() as client:
        assert client.get("/api/v1/slides").status_code == 200  # each node counts by itself
    made.run("start", "rates")
    assert made.part("rates")["state"] == "healthy"


def test_commands_work_on_the_cluster_cl71(made: Made) -> None:
    done = made.on_cluster("list", "--json")
    assert json.loads(done.stdout) == []
    assert "admin" in made.on_cluster("--", "user", "list").stdout
    assert made.on_cluster("info", "missing", code=2).stderr


def test_a_killed_supervisor_leaves_nothing_that_the_next_one_does_not_end_cl65(made: Made) -> None:
    left = load(made.folder)
    os.kill(left["supervisor"].pid, signal.SIGKILL)
    made.up()
    assert made.status()["healthy"]
    assert not [name for name, one in left.items() if one.runs()]


def test_a_cluster_begins_with_the_store_of_one_node_cl72(tmp_path: Path) -> None:
    store = tmp_path / "store"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WAVESCOPE_")}
    ingest_ = [sys.executable, "-m", "wavescope.cli", "ingest", "specimen:700x600", "--id", "kidney", "--store"]
    subprocess.run([*ingest_, str(store)], check=True, capture_output=True, env=environment)
    with cluster("--nodes", "1", "--open", "--without", "prometheus", "--from", str(store)) as found:
        with found.client() as client:
            slide = client.get(f"{API}/slides/kidney").json()
            picture = client.get(f"{API}/slides/kidney/thumbnail?max=64")
        assert (slide["width"], picture.status_code) == (700, 200)
        assert found.on_cluster("verify", "kidney").returncode == 0


def test_a_missing_program_is_named_and_nothing_starts_cl61(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_programs()
    empty = tmp_path / "bin"
    empty.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(empty))
    done = command("up", "--dir", str(tmp_path / "c"), code=2)
    assert "versitygw is not installed: GOBIN=" in done.stderr
    assert not (tmp_path / "c" / "postgresql").exists()


class Load:
    """GET requests all the time, each on a connection that stays; their statuses."""

    def __init__(self, made: Made) -> None:
        self.statuses: set[int] = set()
        self.count = 0
        self._made, self._ending = made, threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(2)]

    def __enter__(self) -> Load:
        for one in self._threads:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for one in self._threads:
            one.join()

    def _run(self) -> None:
        with self._made.client() as client:
            while not self._ending.is_set():
                try:
                    self.statuses.add(client.get("/healthz").status_code)
                except httpx.TransportError:
                    self.statuses.add(0)
                self.count += 1

"""The generated configurations are what HAProxy accepts, and bad plans are refused before it reads them."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cluster.distribution.stubs import needs_haproxy
from wavescope.cli.app import main
from wavescope.errors import InvalidParameter
from wavescope_lab.cluster.distribution.balancer import write
from wavescope_lab.cluster.distribution.configuration import configuration
from wavescope_lab.cluster.distribution.plan import Node, Plan, read_plan, write_plan
from wavescope_lab.cluster.distribution.policies import POLICIES
from wavescope_lab.errors import RejectedConfiguration

NODES = (Node("a", "127.0.0.1", 9001, 9101), Node("b", "127.0.0.1", 9002), Node("c.example", "[::1]", 9003))


def plan(folder: Path) -> Plan:
    return Plan(NODES, folder, 9443, 9444, 9445)


@needs_haproxy
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_haproxy_accepts_every_policy_cl80(tmp_path: Path, policy: str, tls: bool) -> None:
    made = replace(plan(tmp_path), policy=policy)
    if tls:
        made = replace(made, certificate=certificate(tmp_path))
    text = write(made).read_text()
    assert ("alpn h2,http/1.1" in text) is tls
    assert read_plan(tmp_path) == made


@needs_haproxy
def test_a_refused_configuration_replaces_nothing_cl86(tmp_path: Path) -> None:
    before = write(plan(tmp_path)).read_text()
    with pytest.raises(RejectedConfiguration, match="none"):
        write(replace(plan(tmp_path), certificate=tmp_path / "none.pem"))
    assert (tmp_path / "haproxy.cfg").read_text() == before
    assert read_plan(tmp_path) == plan(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["haproxy.cfg", "plan.json"]


@pytest.mark.parametrize(
    "change",
    [
        {"nodes": ()},
        {"nodes": (NODES[0], NODES[0])},
        {"nodes": (Node("a b", "127.0.0.1", 1),)},
        {"nodes": (Node("a", "127.0.0.1\nuser x", 1),)},
        {"nodes": (Node("a", "127.0.0.1", 0),)},
        {"nodes": (Node("a", "127.0.0.1", 70_000),)},
        {"folder": Path("/tmp/with space")},
        {"certificate": Path("/tmp/a#b.pem")},
        {"port": 0},
        {"client_seconds": 0},
        {"most_requests": 0},
        {"balance_factor": 100},
    ],
)
def test_a_plan_that_haproxy_would_misread_is_refused_cl80(tmp_path: Path, change: dict[str, object]) -> None:
    with pytest.raises(InvalidParameter):
        replace(plan(tmp_path), **change)  # type: ignore[arg-type]


def test_an_unknown_policy_names_all_that_exist_cl80(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="weighted"):
        configuration(replace(plan(tmp_path), policy="random"))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"nodes": [{}]}'])
def test_a_damaged_plan_is_named_cl86(tmp_path: Path, text: str) -> None:
    write_plan(plan(tmp_path))
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(InvalidParameter, match="plan"):
        read_plan(tmp_path)


def test_the_command_prints_the_configuration_of_any_policy_cl86(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "balancer").mkdir()
    made = replace(plan(tmp_path / "balancer"), policy="file")
    write_plan(made)
    assert main(["cluster", "policy", "--dir", str(tmp_path), "--print"]) == 0
    assert capsys.readouterr().out == configuration(made)
    assert main(["cluster", "policy", "lard", "--dir", str(tmp_path), "--print"]) == 0
    assert "hash-balance-factor 150" in capsys.readouterr().out
    assert main(["cluster", "policy", "fastest", "--dir", str(tmp_path), "--print"]) == 2
    assert main(["cluster", "policy", "--dir", str(tmp_path / "none"), "--print"]) == 2


def certificate(folder: Path) -> Path:
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([*command, "-keyout", key, "-out", cert], check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text(cert.read_text() + key.read_text())
    return both

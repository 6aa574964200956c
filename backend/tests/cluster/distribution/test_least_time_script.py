"""The balancer's script and the pure function decide and learn alike, on the same requests (CL87)."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from cluster.distribution.stubs import free_port, needs_haproxy
from wavescope_lab.cluster.distribution.policies import LUA
from wavescope_lab.distribution.least_time import Assigned, NodeState, Oracle, Request, answered, assigned, choose

HARNESS = Path(__file__).with_name("least_time_harness.lua")
NAMES, DATA_SECONDS, REMEMBERED = ("a", "b", "c"), 0.002, 3
SHAPES = {
    "region": ("region", "width=512&height=384", "-", 3.0),
    "batch": ("blocks:batch", "-", "900", 45.0),
    "index": ("index", "-", "-", 1.0),
}

Open = tuple[str, Request, Assigned, float]


def decisions_of_the_script(folder: Path, events: list[str]) -> list[str]:
    configuration = f"global\n    lua-load {HARNESS}\nfrontend f\n    mode http\n    bind 127.0.0.1:{free_port()}\n"
    (folder / "haproxy.cfg").write_text(configuration + "    timeout client 1s\n")
    (folder / "events").write_text("".join(f"{line}\n" for line in events))
    values = {"TEST_SCRIPT": LUA, "TEST_EVENTS": folder / "events", "TEST_OUT": folder / "out"}
    environment = os.environ | {name: str(value) for name, value in values.items()}
    environment["WAVESCOPE_LEAST_TIME"] = f"{DATA_SECONDS} {REMEMBERED} {' '.join(NAMES)}"
    command = ["haproxy", "-c", "-f", str(folder / "haproxy.cfg")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (folder / "out").exists(), done.stderr
    return (folder / "out").read_text().splitlines()


@needs_haproxy
@pytest.mark.parametrize("seed", range(3))
def test_the_script_decides_and_learns_as_the_pure_function_cl87(tmp_path: Path, seed: int) -> None:
    dice, now = random.Random(seed), 1000.0
    oracle, nodes = Oracle(data=DATA_SECONDS), {name: NodeState() for name in NAMES}
    events: list[str] = []
    expected: list[str] = []
    open_: dict[int, Open] = {}
    for _ in range(400):
        now += dice.choice((0.001, 0.004, 0.015, 0.25))
        if open_ and dice.random() < 0.5:
            number = dice.choice(list(open_))
            name, request, mark, begun = open_.pop(number)
            answered(oracle, nodes[name], request, mark, now - begun)
            events.append(f"answer {now!r} {number} - -")
            continue
        (rest, query, length, units), slide = SHAPES[dice.choice(list(SHAPES))], f"s{dice.randrange(4)}"
        request = Request(rest, slide, units)
        name = choose(oracle, nodes, request, now)
        expected.append(name)
        open_[len(expected)] = name, request, assigned(oracle, nodes[name], request, now, REMEMBERED), now
        events.append(f"choose {now!r} /api/v1/slides/{slide}/v/0/{rest} {query} {length}")
    found = decisions_of_the_script(tmp_path, events)
    assert found[: len(expected)] == expected
    assert len(set(expected)) == len(NAMES)
    learnt = {tuple(line.split()[:2]): [*map(float, line.split()[2:])] for line in found[len(expected) :]}
    for route, seconds in oracle.costs.items():
        assert learnt["cost", route] == pytest.approx([seconds], abs=1e-5)
    for name, node in nodes.items():
        assert learnt["node", name] == pytest.approx([node.work, node.speed], abs=1e-3)

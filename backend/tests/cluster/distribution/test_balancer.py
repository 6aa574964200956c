"""HAProxy itself with the generated configurations, in front of nodes that tell their name."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import httpx
import pytest

from cluster.distribution.stubs import Balanced, balanced, needs_haproxy
from wavescope.errors import InvalidParameter, Unavailable
from wavescope_lab.cluster.distribution import balancer
from wavescope_lab.cluster.distribution.policies import POLICIES

pytestmark = needs_haproxy
SLIDES = [f"/api/v1/slides/slide-{number}/v/0/blocks/0/0/0/1/1" for number in range(30)]


async def together(one: Balanced, requests: list[tuple[str, str]]) -> Counter[str]:
    """How many of these requests, a path and credentials each, every node gets when all are unanswered at once."""
    before = sum(node.received for node in one.nodes)
    for node in one.nodes:
        node.gate.clear()
    asked = [asyncio.create_task(one.get(path, authorization=credentials)) for path, credentials in requests]
    while sum(node.received for node in one.nodes) < before + len(requests):
        await asyncio.sleep(0.01)
    for node in one.nodes:
        node.gate.set()
    return Counter(await asyncio.gather(*asked))


async def test_round_robin_takes_each_node_in_turn_cl81(tmp_path: Path) -> None:
    async with balanced(tmp_path) as one:
        assert set(Counter([await one.get("/api/v1/slides") for _ in range(12)]).values()) == {4}


async def test_a_node_that_is_slow_gets_fewer_requests_and_open_sessions_do_not_count_cl90(tmp_path: Path) -> None:
    async with balanced(tmp_path, "least-connections") as one:
        for node in one.nodes:
            node.delay = 60.0
        socket = {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
        kinds = [{}, socket, socket, {"accept": "text/event-stream"}, {"accept": "application/x-ndjson"}]
        waiting = [asyncio.create_task(one.client.get("/a", headers=kind)) for kind in kinds]
        async with asyncio.timeout(30):
            while sum(node.received for node in one.nodes) < 5:
                await asyncio.sleep(0.01)
            slow = await one.in_work("nodes")
            assert sorted(slow.values()) == [0, 0, 1]
            assert sorted((await one.in_work("lasting")).values()) == [1, 1, 2]
            for node in one.nodes:
                node.delay = 0.0
            served = Counter([await one.get("/api/v1/slides") for _ in range(12)])
        assert dict(served) == {name: 6 for name, count in slow.items() if not count}
        for task in waiting:
            task.cancel()


async def test_a_slide_has_one_node_and_a_dead_node_moves_its_own_slides_alone_cl83(tmp_path: Path) -> None:
    async with balanced(tmp_path, "file") as one:
        before = {path: await one.get(path) for path in SLIDES}
        assert before == {path: await one.get(path + "?from=1") for path in SLIDES}
        assert len(set(before.values())) == 3
        one.nodes[1].kill()
        after = {path: await one.get(path) for path in SLIDES}
        assert {path for path in SLIDES if before[path] != after[path]} == {p for p in SLIDES if before[p] == "n1"}


async def test_weights_follow_the_loads_that_agents_report_cl82(tmp_path: Path) -> None:
    async with balanced(tmp_path, "weighted") as one:
        one.nodes[0].percent = 25
        await one.until_checked("n0", ",25,")
        counts = Counter([await one.get("/api/v1/slides") for _ in range(90)])
        assert counts["n0"] == pytest.approx(10, abs=2)


@pytest.mark.slow
async def test_a_client_stays_at_its_node_for_its_time_to_live_cl84(tmp_path: Path) -> None:
    async with balanced(tmp_path, "client", client_seconds=1) as one:
        first = {name: await one.get("/a", authorization=f"Bearer {name}") for name in "abcdef"}
        assert first == {name: await one.get("/a", authorization=f"Bearer {name}") for name in "abcdef"}
        assert len(set(first.values())) == 3
        table = "show table nodes"
        async with asyncio.timeout(10):
            while "key=" in await asyncio.to_thread(balancer.ask, tmp_path / "haproxy.sock", table):
                await asyncio.sleep(0.1)  # the entries expire


async def test_a_client_of_an_overloaded_node_gets_another_one_cl84(tmp_path: Path) -> None:
    async with balanced(tmp_path, "client", most_requests=4) as one:
        name = await one.get("/a", authorization="Bearer a")
        served = await together(one, [("/a", "Bearer a")] * 12)
        assert served[name] <= 5
        assert len(served) > 1


async def test_a_slide_in_demand_gets_further_nodes_up_to_the_bound_cl85(tmp_path: Path) -> None:
    async with balanced(tmp_path, "lard") as one:
        alone = {await one.get(SLIDES[0]) for _ in range(6)}
        assert len(alone) == 1
        served = await together(one, [(SLIDES[0], "")] * 30)
        assert len(served) > 1
        assert max(served.values()) <= 1.5 * 30 / 3


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
async def test_a_killed_node_fails_no_reading_request_cl81(tmp_path: Path, policy: str) -> None:
    async with balanced(tmp_path, policy) as one:
        for node in one.nodes:
            node.delay = 0.02
        stop = asyncio.Event()

        async def client(number: int) -> int:
            done = 0
            while not stop.is_set():
                path = SLIDES[number]
                answer = await (
                    one.client.get(path) if number % 2 else one.client.post("/api/v1/slides/a/v/0/blocks:batch")
                )
                assert answer.status_code == 200, answer.text
                done += 1
            return done

        clients = [asyncio.create_task(client(number)) for number in range(8)]
        while sum(node.answered for node in one.nodes) < 50:
            await asyncio.sleep(0.01)
        one.nodes[0].kill()
        before = sum(node.answered for node in one.nodes)
        while sum(node.answered for node in one.nodes) < before + 200:
            await asyncio.sleep(0.01)
        stop.set()
        assert sum(await asyncio.gather(*clients)) > 200


async def test_a_request_that_changes_something_is_not_repeated_after_it_was_sent_cl81(tmp_path: Path) -> None:
    async with balanced(tmp_path) as one:
        for node in one.nodes:
            node.delay = 5.0
        sending = asyncio.create_task(one.client.post("/api/v1/tours", content=b"{}"))
        while not any(node.received for node in one.nodes):
            await asyncio.sleep(0.01)
        for node in one.nodes:
            node.kill()
        assert (await sending).status_code == 502


@pytest.mark.slow
async def test_a_change_of_policy_fails_no_request_cl86(tmp_path: Path) -> None:
    async with balanced(tmp_path) as one:
        stop, done = asyncio.Event(), 0

        async def client() -> None:
            nonlocal done
            while not stop.is_set():
                async with httpx.AsyncClient(base_url=one.client.base_url) as fresh:
                    assert (await fresh.get("/a")).status_code == 200
                    assert (await one.client.get("/a")).status_code == 200
                done += 1

        clients = [asyncio.create_task(client()) for _ in range(4)]
        for policy in ("file", "lard", "client", "weighted", "round-robin"):
            assert (await asyncio.to_thread(balancer.change_policy, tmp_path, policy)).policy == policy
            assert f"# Policy {policy}:" in (tmp_path / "haproxy.cfg").read_text()
        stop.set()
        await asyncio.gather(*clients)
        assert done > 10


async def test_no_balancer_and_no_such_policy_are_named_cl86(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="there is none"):
        balancer.change_policy(tmp_path, "file")
    async with balanced(tmp_path) as one:
        with pytest.raises(InvalidParameter, match="round-robin"):
            balancer.change_policy(tmp_path, "fastest")
    with pytest.raises(Unavailable, match="does not run"):
        balancer.change_policy(tmp_path, "file")
    assert one.plan.policy == "round-robin"


@pytest.mark.slow
async def test_when_no_node_is_ready_those_alive_answer_cl81(tmp_path: Path) -> None:
    async with balanced(tmp_path) as one:
        for node in one.nodes:
            node.ready = False
        for node in one.nodes:
            await one.until_checked(node.name, ",DOWN,")
        assert await one.get("/a") in {"n0", "n1", "n2"}


async def test_nodes_get_the_client_the_protocol_and_one_id_cl80(tmp_path: Path) -> None:
    async with balanced(tmp_path, count=1) as one:
        await one.get("/a", **{"x-forwarded-for": "10.0.0.1", "x-request-id": "mine-12345"})
        await one.get("/a")
        first, second = (head.lower() for head in one.nodes[0].heads)
        assert "x-forwarded-for: 127.0.0.1" in first
        assert "10.0.0.1" not in first
        assert "x-forwarded-proto: http\r\n" in first
        assert "x-request-id: mine-12345" in first
        assert second.count("x-request-id: ") == 1


async def test_the_balancer_reports_metrics_cl80(tmp_path: Path) -> None:
    async with balanced(tmp_path) as one:
        await one.get("/a")
        text = (await one.client.get(f"http://127.0.0.1:{one.plan.metrics_port}/metrics")).text
        assert 'haproxy_server_status{proxy="nodes",server="n0",state="UP"} 1' in text


@pytest.mark.slow
async def test_least_time_learns_what_routes_cost_and_avoids_a_busy_node_cl87(tmp_path: Path) -> None:
    async with balanced(tmp_path, "least-time", count=2) as one:
        slow, quick = one.nodes
        region = "/api/v1/slides/a/v/0/region?width=1024&height=1024&level=0"
        for node in one.nodes:
            node.delay = 0.2
        await one.get(region)
        slow.delay = quick.delay = 0.01
        await one.get(SLIDES[0])
        estimates = await asyncio.to_thread(balancer.ask, tmp_path / "haproxy.sock", "show estimates")
        costs = dict(line.split()[1:3] for line in estimates.splitlines() if line.startswith("cost"))
        assert 0.2 / 16 <= float(costs["region"]) < 0.3 / 16
        assert 0.01 <= float(costs["blocks"]) < 0.1
        slow.delay = 3.0
        quick.delay = 3.0
        heavy = asyncio.create_task(one.get(region))
        while slow.received + quick.received != 3:
            await asyncio.sleep(0.01)
        busy, idle = (slow, quick) if slow.received > quick.received else (quick, slow)
        idle.delay = 0.01
        served = [await one.get(path) for path in SLIDES[:10]]
        assert set(served) == {idle.name}
        assert await heavy == busy.name


async def test_least_time_never_chooses_a_dead_node_cl87(tmp_path: Path) -> None:
    async with balanced(tmp_path, "least-time") as one:
        one.nodes[0].kill()
        assert "n0" not in {await one.get(path) for path in SLIDES}

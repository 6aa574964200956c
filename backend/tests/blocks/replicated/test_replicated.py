"""Several origins as one source, in virtual time: who is asked for what, and how much at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from blocks.replicated.shaped import Link, ShapedOrigin, blocks, content
from blocks.replicated.virtual_time import run_virtually
from wavescope.blocks.base import BlockRequest
from wavescope.blocks.replicated.limits import ReplicationLimits
from wavescope.blocks.replicated.policies import POLICIES, policy
from wavescope.blocks.replicated.reads import BLOCK, FIRST_SIZE, SIZES, Sizes
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.errors import StaleVersion, Unavailable
from wavescope.geometry import Address

MBIT = 1e6 / 8
FIRST = Address(0, 0, 0, 0, 0)


def three(**more: Any) -> dict[str, ShapedOrigin]:
    """Unequal links; each slide is on two."""
    return {
        "a": ShapedOrigin(Link(40 * MBIT, 0.02), {"ab", "ac", "all"}, **more),
        "b": ShapedOrigin(Link(20 * MBIT, 0.04), {"ab", "bc", "all"}, **more),
        "c": ShapedOrigin(Link(8 * MBIT, 0.005), {"ac", "bc", "all"}, **more),
    }


def opened(origins: dict[str, ShapedOrigin], name: str = "flow", **more: Any) -> ReplicatedSource:
    return ReplicatedSource(origins, policy(name), **more)


async def read(source: ReplicatedSource, slide: str, requests: list[BlockRequest]) -> float:
    """Reads a batch, every block of which must arrive once and unchanged. The seconds that it took."""
    begin, got = asyncio.get_running_loop().time(), set()
    async for position, answer in source.get_many(slide, requests):
        assert answer == content(slide, requests[position], 4096), answer
        assert position not in got
        got.add(position)
    assert got == set(range(len(requests)))
    return asyncio.get_running_loop().time() - begin


@pytest.mark.parametrize("name", POLICIES)
def test_every_block_comes_once_whatever_assigns_it(name: str) -> None:
    async def main() -> None:
        source = opened(three(), name)
        await asyncio.gather(*(read(source, slide, blocks(200)) for slide in ("ab", "bc", "ac", "all")))
        assert source.status().waiting == 0
        await read(source, "ab", [])
        for origin in source.status().origins:
            assert origin.in_flight == 0
        await source.close()

    run_virtually(main())


def throughput(name: str) -> float:
    """Bytes per second of three clients that each read a slide in batches of 64, as in Tierney et al. 1999."""

    async def client(source: ReplicatedSource, slide: str) -> None:
        for level in range(20):
            await read(source, slide, blocks(64, level))

    async def main() -> float:
        source = opened(three(), name, limits=ReplicationLimits(hedging=False))
        await asyncio.gather(*(client(source, slide) for slide in ("ab", "bc", "ac")))
        await source.close()
        return 3 * 20 * 64 * 4096 / asyncio.get_running_loop().time()

    return run_virtually(main())


def test_minimum_cost_flow_is_faster_than_greedy_and_this_than_round_robin() -> None:
    flow, greedy, turns = throughput("flow"), throughput("greedy"), throughput("round-robin")
    assert flow > 1.05 * greedy > 1.2 * turns


def test_bandwidth_and_latency_of_each_origin_are_learned_from_the_answers() -> None:
    async def main() -> None:
        source = opened(three())
        await read(source, "all", blocks(2000))
        a, b, c = source.status().origins
        assert c.score > a.score > b.score  # by the latency: of one block
        assert [origin.bandwidth / MBIT for origin in (a, b, c)] == pytest.approx([40, 20, 8], rel=0.05)
        assert [origin.latency for origin in (a, b, c)] == pytest.approx([0.02, 0.04, 0.005], abs=0.005)
        assert source.status().solver.count > 0
        await source.close()

    run_virtually(main())


def test_what_is_in_flight_follows_bandwidth_times_delay_og3() -> None:
    async def main() -> None:
        origins = {
            "near": ShapedOrigin(Link(8 * MBIT, 0.01), {"s"}),
            "far": ShapedOrigin(Link(40 * MBIT, 0.2), {"s"}),
        }
        source = opened(origins)
        await read(source, "s", blocks(2000))
        near, far = source.status().origins
        assert far.window == pytest.approx(2 * 40 * MBIT * 0.2, rel=0.1)
        for origin, status in ((origins["near"], near), (origins["far"], far)):
            assert origin.most_in_flight * 4096 <= max(status.window, 100_000) + 4096  # 100 kB: the first window
        await source.close()

    run_virtually(main())


def test_a_version_tells_which_origins_have_the_slide_before_a_block_is_asked_og5() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        assert await source.version("bc") == "version bc"
        assert await source.version("bc") is await source.version("bc")
        await asyncio.sleep(1)
        await read(source, "bc", blocks(100))
        assert origins["a"].asked == []
        assert [origin.missing for origin in source.status().origins] == [1, 0, 0]
        await source.close()

    run_virtually(main())


def test_an_origin_without_the_slide_is_asked_again_after_a_while_og5() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins, limits=ReplicationLimits(missing=30))
        await read(source, "bc", blocks(100))
        origins["a"].slides.add("bc")
        origins["a"].asked.clear()
        await read(source, "bc", blocks(100))
        assert origins["a"].asked == []
        await asyncio.sleep(31)
        await read(source, "bc", blocks(100))
        assert origins["a"].asked
        await source.close()

    run_virtually(main())


def test_a_slide_that_moved_is_found_although_its_origins_are_known_not_to_have_it() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        with pytest.raises(StaleVersion):
            await source.get("new", FIRST, range(1))
        origins["c"].slides.add("new")
        await read(source, "new", blocks(20))
        await source.close()

    run_virtually(main())


def test_no_origin_has_it() -> None:
    async def main() -> None:
        source = opened(three())
        found = [answer async for _, answer in source.get_many("none", blocks(40))]
        assert {type(answer) for answer in found} == {StaleVersion}
        assert len(found) == 40
        for call in (source.version("none"), source.approximation("none", 0, 0, range(1)), source.icc_profile("none")):
            with pytest.raises(StaleVersion):
                await call
        await source.close()
        empty = opened({})
        with pytest.raises(Unavailable):
            await empty.get("ab", FIRST, range(1))
        assert [type(answer) async for _, answer in empty.get_many("ab", blocks(2))] == [Unavailable] * 2
        await empty.close()

    run_virtually(main())


def test_a_straggler_is_asked_of_a_second_origin_and_the_loser_is_cancelled_og9() -> None:
    async def main() -> None:
        origins = {
            "a": ShapedOrigin(Link(40 * MBIT, 0.02), {"s"}),
            "b": ShapedOrigin(Link(40 * MBIT, 0.02), {"s"}),
        }
        source = opened(origins)
        await read(source, "s", blocks(400))
        origins["a"].extra = origins["b"].extra = 0.5
        seconds = await read(source, "s", blocks(40, level=1))
        assert seconds < 0.3
        await asyncio.sleep(0.1)
        statuses = source.status().origins
        assert sum(origin.counts.hedges for origin in statuses) >= 1
        assert sum(origin.counts.hedges_won for origin in statuses) >= 1
        assert sum(origin.cancelled for origin in origins.values()) >= 1
        assert all(origin.state == "closed" for origin in statuses)
        await source.close()

    run_virtually(main())


def test_hedges_cost_a_bounded_share_of_the_bytes_og9() -> None:
    async def main() -> None:
        origins = {name: ShapedOrigin(Link(40 * MBIT, 0.02), {"s"}) for name in "ab"}
        limits = ReplicationLimits(hedge_burst=8 * 4096, hedge_share=0.05)
        source = opened(origins, limits=limits)
        for level in range(60):
            origins["a"].extra = 0.4  # one origin is always late
            await read(source, "s", blocks(40, level))
        asked = sum(len(origin.asked) for origin in origins.values())
        assert asked <= 60 * 40 * 1.05 + 8 + 40
        await source.close()

    run_virtually(main())


def test_a_caller_that_leaves_ends_its_requests_and_no_others() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        other = asyncio.ensure_future(read(source, "bc", blocks(300)))
        leaving = source.get_many("ab", blocks(3000))
        async for _ in leaving:
            break
        await leaving.aclose()
        begin = asyncio.get_running_loop().time()
        await other
        assert asyncio.get_running_loop().time() - begin < 1.0
        assert sum(len(origin.asked) for origin in origins.values()) < 1500
        alone = asyncio.ensure_future(source.get("ac", FIRST, range(1)))
        await asyncio.sleep(0.001)
        alone.cancel()
        await asyncio.sleep(1)
        assert all(origin.in_flight == 0 for origin in source.status().origins)
        assert source.status().waiting == 0
        await source.close()

    run_virtually(main())


def test_the_sizes_of_answers_are_learned_by_kind_and_bounded() -> None:
    sizes = Sizes()
    for level in range(2 * SIZES):
        sizes.learn((*BLOCK, level), 100)
    assert sizes.expected((*BLOCK, 2 * SIZES - 1)) == 100
    assert sizes.expected((*BLOCK, 0)) == FIRST_SIZE
    sizes.learn((*BLOCK, 5000), 0)
    assert sizes.expected((*BLOCK, 5000)) == 1

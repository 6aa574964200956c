"""An origin that is killed, stalls, corrupts or answers 500, in virtual time: no caller sees an error while another
origin has the slide.
"""

from __future__ import annotations

import asyncio

import pytest

from blocks.replicated.shaped import Fault, Link, ShapedOrigin, blocks
from blocks.replicated.test_replicated import FIRST, MBIT, opened, read, three
from blocks.replicated.virtual_time import run_virtually
from wavescope.blocks.replicated.limits import ReplicationLimits
from wavescope.blocks.replicated.policies import POLICIES
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.errors import CorruptBlock, StaleVersion, Unavailable

FAULTS: list[Fault] = ["killed", "stalled", "corrupting", "500"]


def state(source: ReplicatedSource, name: str) -> str:
    return next(origin.state for origin in source.status().origins if origin.name == name)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_mid_stream_costs_no_caller_an_error_and_at_most_a_second_og4(fault: Fault, name: str) -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins, name)
        await asyncio.gather(*(read(source, slide, blocks(200, 1)) for slide in ("ab", "ac")))
        usual = await read(source, "ab", blocks(800))
        reading = [asyncio.ensure_future(read(source, slide, blocks(800, 2))) for slide in ("ab", "ac")]
        await asyncio.sleep(0.1)
        origins["a"].fault = fault
        await asyncio.sleep(1)
        asked = len(origins["a"].asked)
        assert state(source, "a") == "open" or asked > 0
        ab, _ = await asyncio.gather(*reading)
        assert ab < 10 * usual
        assert source.status().origins[0].counts.opened
        for read_single in (source.get, source.get):
            assert await read_single("ab", FIRST, range(1))
        await source.close()

    run_virtually(main())


def test_a_dead_origin_is_left_within_a_second_og6() -> None:
    async def main() -> None:
        for fault in FAULTS:
            origins = three()
            source = opened(origins)
            reading = asyncio.ensure_future(read(source, "ab", blocks(4000)))
            await asyncio.sleep(0.5)
            origins["a"].fault = fault
            await asyncio.sleep(1)
            assert state(source, "a") in ("open", "half-open"), fault
            asked = len(origins["a"].asked)
            await asyncio.sleep(0.5)
            assert len(origins["a"].asked) - asked <= 1  # its trial
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await source.close()

    run_virtually(main())


def test_a_probe_that_returns_false_has_failed() -> None:
    async def main() -> None:
        origins = three()

        async def answers() -> bool:
            return False

        source = opened(origins, probes={"a": answers})
        await read(source, "ab", blocks(20))
        await asyncio.sleep(25)
        assert source.status().origins[0].counts.probes_failed >= 2
        assert state(source, "a") != "closed"
        await source.close()

    run_virtually(main())


@pytest.mark.parametrize(("name", "probing"), [("flow", True), ("flow", False), ("greedy", True), ("greedy", False)])
@pytest.mark.parametrize("fault", ["killed", "stalled", "500"])
def test_an_origin_is_taken_back_when_it_is_well_og7(fault: Fault, name: str, probing: bool) -> None:
    async def main() -> None:
        origins = three()
        probes = {name: origin.probe for name, origin in origins.items()} if probing else {}
        source = opened(origins, name, probes=probes)
        await read(source, "ab", blocks(200))
        origins["a"].fault = fault
        for _ in range(2):
            await read(source, "ab", blocks(200, 1))
        await asyncio.sleep(0.1)
        assert state(source, "a") != "closed"
        origins["a"].fault = "none"
        await asyncio.sleep(10)
        for level in range(2, 5):
            await read(source, "ab", blocks(200, level))
        assert state(source, "a") == "closed"
        asked = len(origins["a"].asked)
        await read(source, "ab", blocks(200, 5))
        assert len(origins["a"].asked) > asked + 50
        await source.close()

    run_virtually(main())


def test_probes_are_few_and_cost_the_callers_nothing_og10() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins, probes={name: origin.probe for name, origin in origins.items()})
        await read(source, "ab", blocks(200))
        origins["a"].fault = "killed"
        await read(source, "ab", blocks(200))
        await asyncio.sleep(300)
        counts = {origin.name: origin.counts for origin in source.status().origins}
        assert 10 <= counts["a"].probes <= 20  # after 1, 2, 4, 8, 16 and then every 30 s
        assert counts["a"].probes_failed == counts["a"].probes
        assert 25 <= counts["b"].probes <= 31
        await source.close()

    run_virtually(main())


def test_a_corrupt_block_is_asked_elsewhere_and_counted_and_persistent_corruption_ends_the_asking_og8() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins, probes={"a": origins["a"].probe})
        await source.get("ab", FIRST, range(1))
        origins["a"].fault = "corrupting"
        for _ in range(4):
            await read(source, "ab", blocks(100))
        a = source.status().origins[0]
        assert a.counts.errors["corrupt"] >= 3
        assert a.counts.opened == {"corrupt": 1}
        asked = len(origins["a"].asked)
        await asyncio.sleep(20)  # probes succeed and prove nothing
        await read(source, "ab", blocks(100))
        assert len(origins["a"].asked) == asked
        await source.close()

    run_virtually(main())


def test_a_block_that_all_origins_have_corrupt_is_an_error_of_this_block() -> None:
    async def main() -> None:
        origins = three()
        for name in "ab":
            origins[name].fault = "corrupting"
        source = opened(origins)
        found = [answer async for _, answer in source.get_many("ab", blocks(30))]
        assert {type(answer) for answer in found} == {CorruptBlock}
        with pytest.raises(CorruptBlock):
            await source.get("ab", FIRST, range(1))
        await source.close()

    run_virtually(main())


def test_the_only_origin_of_a_slide_gets_patience_og6() -> None:
    async def main() -> None:
        origins = {"a": ShapedOrigin(Link(40 * MBIT, 0.02), {"s"}), "b": ShapedOrigin(Link(40 * MBIT, 0.02), {"t"})}
        source = opened(origins, limits=ReplicationLimits(last_resort_timeout=15))
        await source.version("s")
        await asyncio.sleep(1)
        origins["a"].extra = 5
        assert 5 < await read(source, "s", blocks(20)) < 6
        origins["a"].fault = "stalled"
        begin = asyncio.get_running_loop().time()
        found = [answer async for _, answer in source.get_many("s", blocks(20))]
        assert {type(answer) for answer in found} == {Unavailable}
        assert 15 <= asyncio.get_running_loop().time() - begin < 16
        await source.close()

    run_virtually(main())


def test_slow_links_with_large_blocks_lose_none() -> None:
    async def main() -> None:
        link = Link(1.4 * MBIT, 0.04)  # one for all
        origins = {name: ShapedOrigin(link, {"s", "t", "u"}, block=40_000) for name in "ab"}
        source = opened(origins)
        await asyncio.gather(*(count(source, slide, 20) for slide in "stu"))
        await source.close()

    run_virtually(main())


def test_origins_that_are_all_slow_at_the_same_time_are_asked_again_with_patience_og6() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        await read(source, "ab", blocks(200))
        for name in "ab":
            origins[name].extra = 3.0
        await read(source, "ab", blocks(200))
        for name in "ab":
            origins[name].extra = 3.0
        assert await source.get("ab", FIRST, range(1))
        for name in "ab":
            origins[name].fault = "stalled"
        begin = asyncio.get_running_loop().time()
        with pytest.raises(Unavailable):
            await source.get("ab", FIRST, range(1))
        assert 15 < asyncio.get_running_loop().time() - begin < 45
        await source.close()

    run_virtually(main())


async def count(source: ReplicatedSource, slide: str, number: int) -> None:
    answers = [answer async for _, answer in source.get_many(slide, blocks(number))]
    assert [type(answer) for answer in answers] == [bytes] * number


def test_bytes_of_an_answer_that_is_not_complete_are_a_sign_of_life() -> None:
    async def main() -> None:
        origins = {"a": ShapedOrigin(Link(0.2 * MBIT, 0.02), {"s"}, block=50_000), "b": ShapedOrigin(Link(1, 0), set())}
        source = opened(origins, limits=ReplicationLimits(last_resort_timeout=1))
        await asyncio.sleep(0)

        async def trickle() -> None:
            while True:
                await asyncio.sleep(0.5)
                source.progress("a")

        trickling = asyncio.ensure_future(trickle())
        assert len(await source.get("s", FIRST, range(1))) == 50_000  # takes two seconds
        trickling.cancel()
        with pytest.raises(Unavailable):
            await source.get("s", FIRST, range(1))
        await source.close()

    run_virtually(main())


def test_when_all_origins_are_out_the_next_read_tries_them_nevertheless() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        for name in "ab":
            origins[name].fault = "killed"
        for _ in range(3):
            with pytest.raises(Unavailable):
                await source.get("ab", FIRST, range(1))
        assert {state(source, "a"), state(source, "b")} == {"open"}
        origins["b"].fault = "none"
        assert await source.get("ab", FIRST, range(1))
        await asyncio.sleep(0.1)
        assert state(source, "b") == "closed"
        await source.close()

    run_virtually(main())


def test_a_refusal_of_one_origin_does_not_hide_the_slide_of_another() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        origins["a"].slides.clear()
        assert await source.get("ac", FIRST, range(1))
        assert await source.index_page("ac", 0, 0, 0, 3) == b"page 3"
        origins["c"].slides.clear()
        with pytest.raises(StaleVersion):
            await source.get("ac", FIRST, range(1))
        source.forget("ac")
        assert [origin.missing for origin in source.status().origins if origin.name != "b"] == [0, 0]
        await source.close()

    run_virtually(main())

"""Origins that join and leave while slides are read, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from blocks.replicated.shaped import Link, ShapedOrigin, blocks
from blocks.replicated.test_replicated import FIRST, MBIT, opened, read, three
from blocks.replicated.virtual_time import run_virtually
from wavescope.blocks.replicated.policies import POLICIES
from wavescope.errors import InvalidParameter, Unavailable


def test_an_origin_joins_and_leaves_while_a_batch_is_read_og11() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)
        reading = asyncio.ensure_future(read(source, "all", blocks(3000)))
        await asyncio.sleep(0.3)
        new = ShapedOrigin(Link(200 * MBIT, 0.01), {"all"})
        source.join("d", new)
        await asyncio.sleep(0.2)
        await source.leave("a")
        asked = len(origins["a"].asked)
        assert origins["a"].closed
        assert origins["a"].cancelled == 0  # what was in flight was finished
        assert await reading < 1.5
        assert len(origins["a"].asked) == asked
        assert len(new.asked) > 1000
        assert [origin.name for origin in source.status().origins] == ["b", "c", "d"]
        with pytest.raises(InvalidParameter):
            source.join("b", new)
        with pytest.raises(InvalidParameter):
            await source.leave("a")
        await source.close()
        assert new.closed

    run_virtually(main())


@pytest.mark.parametrize("name", POLICIES)
def test_what_was_bound_to_an_origin_that_leaves_goes_to_others(name: str) -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins, name)
        reading = asyncio.ensure_future(read(source, "ab", blocks(500)))
        await asyncio.sleep(0.1)
        await source.leave("b")
        await reading
        await source.close()

    run_virtually(main())


def test_closing_answers_those_who_wait() -> None:
    async def main() -> None:
        origins = three()
        source = opened(origins)

        async def count() -> int:
            return sum([isinstance(answer, Unavailable) async for _, answer in source.get_many("ab", blocks(500))])

        waiting: list[Coroutine[Any, Any, Any]] = [count(), source.get("bc", FIRST, range(1))]
        tasks = [asyncio.ensure_future(each) for each in waiting]
        await asyncio.sleep(0.01)
        await source.close()
        lost, single = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(single, Unavailable)
        assert isinstance(lost, int)
        assert lost > 400
        assert all(origin.closed for origin in origins.values())

    run_virtually(main())

"""What one tick of a live session carries."""

from __future__ import annotations

import asyncio

from sessions.worlds import session
from wavescope.service.sessions.tick_broadcaster import TickBroadcaster
from wavescope.sessions.model import Cursor
from wavescope.sessions.server_messages import Tick


async def test_a_tick_carries_32_cursors_the_presenters_first_then_those_that_wait_longest_se29() -> None:
    state, ticks = session(), asyncio.Queue[Tick]()
    broadcaster = TickBroadcaster(lambda tick, _audience: ticks.put_nowait(tick), lambda: state, lambda: 0)
    guests = [f"m{number}" for number in range(2, 42)]
    for member in [*guests, state.presenter or "", guests[0]]:  # the first guest moves twice and keeps its turn
        broadcaster.add_cursor(Cursor(by=member, l0_x=1.0, l0_y=2.0))
    running = asyncio.create_task(broadcaster.run())
    first, second = [[cursor.by for cursor in (await ticks.get()).cursors or ()] for _ in range(2)]
    running.cancel()
    assert first == ["m1", *guests[:31]]
    assert second == guests[31:]

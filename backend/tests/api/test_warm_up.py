"""What is done before the socket listens, and how many requests are worked on at one time (QZ30, QZ31)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from api.test_server import serving
from service.world import World
from wavescope.access.principal import LOCAL_USER
from wavescope.api.routes.slides import quizzes
from wavescope.api.routing import Bound, LateRoute
from wavescope.api.warm_up import warm_up
from wavescope.errors import Unavailable


async def test_the_routes_of_a_quiz_are_prepared_and_nothing_is_changed_qz30(world: World, tmp_path: Path) -> None:
    async with serving(world.copy(tmp_path / "store").store) as served:
        await warm_up(served.service)
        routes = [one for one in quizzes.router.routes if isinstance(one, LateRoute)]
        assert all("_options" not in vars(one) for one in routes)
        assert not await served.service.quizzes.list(LOCAL_USER, None, None)


async def test_requests_above_the_bound_are_refused_at_once_and_those_after_them_accepted_qz31() -> None:
    bound, going = Bound("taking quizzes", 2), asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await going.wait()

    async def receive() -> dict[str, str]:
        return {}

    async def send(_message: object) -> None:
        return None

    around = bound.around(app)
    working = [asyncio.ensure_future(around({}, receive, send)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await around({}, receive, send)
    going.set()
    await asyncio.gather(*working)
    await around({}, receive, send)

"""The line of a WebSocket at its end (OP53)."""

from __future__ import annotations

import asyncio

import pytest

from api.parties import hold
from api.test_request_log import Lines, lines  # noqa: F401 - a fixture
from api.test_server import serving
from service.world import World

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("access", "count"), [("calls", 1), ("none", 0)])
async def test_a_live_connection_has_a_line_when_it_ends_op53(
    damaged: World,
    lines: Lines,  # noqa: F811
    access: str,
    count: int,
) -> None:
    async with serving(damaged.store, log_access=access) as served:
        party = await hold(served.port)
        async with party.window() as ada:
            await ada.send({"type": "ping", "t": 1})
            await ada.until("pong")
        async with asyncio.timeout(10):
            while served.server.server_state.connections:
                await asyncio.sleep(0.01)
    found = lines.of("websocket closed")
    assert len(found) == count
    for line in found:
        assert (line["route"], line["parameters"]) == (
            "/api/v1/sessions/{session_id}/live",
            {"session_id": party.id},
        )
        assert (line["code"], line["received"], line["level"]) == (1000, 2, "info")
        assert line["sent"] >= 2
        assert line["sent_bytes"] > line["received_bytes"] > 0
        assert 0 < line["seconds"] < 60

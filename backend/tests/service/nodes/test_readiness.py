"""Which answers of other nodes say that they can use the database (CL29)."""

from __future__ import annotations

import asyncio

import pytest

from wavescope.service.nodes.readiness import MAX_BYTES, any_ready


async def is_ready(status: str, body: str) -> bool:
    """What is found of a node that answers so."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write((head + body).encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        return await any_ready([f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"])


@pytest.mark.parametrize(
    ("status", "body", "ready"),
    [
        ("200 OK", '{"status": "ready", "catalog": "ok"}', True),
        ("200 OK", '{"status": "ready", "catalog": "away"}', False),
        ("503 Service Unavailable", '{"catalog": "ok"}', False),
        ("200 OK", "ready", False),
        ("200 OK", "[]", False),
        ("200 OK", '{"catalog": "ok"}' + " " * MAX_BYTES, False),
    ],
)
async def test_a_node_can_use_the_database_if_its_catalog_answers_cl29(status: str, body: str, ready: bool) -> None:
    assert await is_ready(status, body) is ready


async def test_a_node_that_is_not_there_cannot_cl29() -> None:
    assert not await any_ready(["http://127.0.0.1:1"])
    assert not await any_ready([])

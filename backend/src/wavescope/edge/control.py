"""Origins that join and leave by command: a socket in the folder of the cache, for those who may write there (ED33)."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from wavescope.config.values import without_password
from wavescope.edge.origins import EdgeOrigin, EdgeOrigins
from wavescope.errors import InvalidParameter, Unavailable, WavescopeError
from wavescope.logs.loggers import get_logger

NAME = "control.sock"
REQUEST_SECONDS = 10.0  # for a command to arrive
RESPONSE_SECONDS = 120.0  # for an origin to leave

log = get_logger(__name__)


@asynccontextmanager
async def control(origins: EdgeOrigins, folder: Path) -> AsyncIterator[None]:
    """Answers commands while it is entered."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, ValueError):
            async with asyncio.timeout(REQUEST_SECONDS):
                line = await reader.readline()
            writer.write(json.dumps(await _execute(origins, line)).encode() + b"\n")
            await writer.drain()
        writer.close()

    path = folder / NAME
    try:
        server = await _listen(respond, path)
    except (OSError, AttributeError) as error:  # no such sockets on this system, or a path that is too long for one
        log.warning("origins cannot join or leave by command", reason=str(error))
        yield
        return
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def command(folder: Path, action: str, url: str = "") -> list[dict[str, Any]]:
    """The origins of the edge with this cache after ``action``: list, add or remove; one that is removed has left.

    Raises InvalidParameter for an origin that it refuses, Unavailable if no edge runs there.
    """
    try:
        reader, writer = await asyncio.open_unix_connection(str(folder / NAME))
        try:
            writer.write(json.dumps({"action": action, "url": url}).encode() + b"\n")
            async with asyncio.timeout(RESPONSE_SECONDS):
                response = json.loads(await reader.readline())
        finally:
            writer.close()
    except (OSError, TimeoutError, ValueError) as error:
        raise Unavailable("the edge", f"none that runs has its cache in {folder}") from error
    if "expected" in response:
        raise InvalidParameter("origin", without_password(url), str(response["expected"]))
    if "error" in response:
        raise Unavailable("the origin", str(response["error"]))
    found: list[dict[str, Any]] = response["origins"]
    return found


async def _listen(respond: Any, path: Path) -> asyncio.Server:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # of an edge that was killed
    mask = os.umask(0o177)
    try:
        return await asyncio.start_unix_server(respond, str(path))
    finally:
        os.umask(mask)


async def _execute(origins: EdgeOrigins, line: bytes) -> Mapping[str, Any]:
    try:
        asked = json.loads(line)
        action, url = asked["action"], asked["url"]
        if action == "add":
            origins.join(url)
        elif action == "remove":
            await asyncio.shield(origins.leave(url))
        elif action != "list":
            raise InvalidParameter("action", str(action), "list, add or remove")
    except InvalidParameter as error:
        return {"expected": error.expected}
    except WavescopeError as error:
        return {"error": str(error)}
    except (ValueError, KeyError, TypeError):
        return {"error": "a command"}
    return {"origins": [_described(one) for one in origins.all]}


def _described(origin: EdgeOrigin) -> dict[str, Any]:
    return {"number": origin.number, "url": origin.name, "leaving": origin.leaving}

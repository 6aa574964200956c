"""How commands reach the supervisor of a cluster: lines of JSON over a socket in its folder.

A request is ``{"do": NAME, ...}``; answers are lines ``{"line": TEXT}``, and in the end ``{"result": VALUE}`` or
``{"error": TEXT}``.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from wavescope.errors import WavescopeError
from wavescope_lab.errors import NoCluster, PartFailed

SOCKET = "control.sock"
LONGEST_REQUEST = 64 * 1024

Report = Callable[[str], None]
Handler = Callable[[dict[str, Any], Report], Awaitable[Any]]


async def listen(folder: Path, handler: Handler) -> asyncio.Server:
    """Answers the commands of the folder's owner."""
    path = folder / "logs" / SOCKET  # a folder that nobody else enters
    path.unlink(missing_ok=True)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def send(**value: Any) -> None:
            if not writer.is_closing():
                writer.write(json.dumps(value).encode() + b"\n")

        try:
            request = json.loads(await reader.readline())
            send(result=await handler(request, lambda line: send(line=line)))
        except WavescopeError as error:
            send(error=str(error))
        except (ValueError, KeyError, TypeError) as error:
            send(error=f"invalid request: {error}")
        finally:
            writer.close()

    return await asyncio.start_unix_server(serve, path, limit=LONGEST_REQUEST)


def request(folder: Path, do: str, report: Report, **values: Any) -> Any:
    """The result of a command. Raises NoCluster, PartFailed with what the supervisor says."""
    with _connected(folder) as one, one.makefile("rwb") as stream:
        stream.write(json.dumps({"do": do, **values}).encode() + b"\n")
        stream.flush()
        for line in stream:
            answer = json.loads(line)
            if "line" in answer:
                report(answer["line"])
            elif "error" in answer:
                raise PartFailed("cluster", answer["error"])
            else:
                return answer["result"]
    raise PartFailed("cluster", f"its supervisor has ended; {folder / 'logs' / 'supervisor.log'} says why")


def runs(folder: Path) -> bool:
    """Whether a supervisor answers in this folder."""
    try:
        _connected(folder).close()
    except NoCluster:
        return False
    return True


def _connected(folder: Path) -> socket.socket:
    one = socket.socket(socket.AF_UNIX)
    try:
        one.connect(str(folder / "logs" / SOCKET))
    except OSError as error:
        one.close()
        raise NoCluster(folder) from error
    return one

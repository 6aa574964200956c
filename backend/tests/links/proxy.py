"""A link as a process: ``python -m links.proxy --rate 10mbit --delay 50ms --to HOST:PORT`` (in ``backend/tests``).

It prints one line of JSON with its addresses. ``GET`` of the control address answers the shape and the bytes so far;
``POST`` of an object changes the shape and executes commands: {"rate": "1mbit", "delay": "300ms", "loss": "1%",
"stalled": true, "corrupt_every": 100000, "reset": true, "listening": false, "zero": true}.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from links.link import Link
from links.shape import Shape, changed, parse_rate, parse_share, parse_time

MAX_COMMAND = 1 << 16


async def execute(link: Link, command: dict[str, object]) -> None:
    """Change the link; ValueError names what cannot be done, and then nothing is."""
    rest = {name: value for name, value in command.items() if name not in ("reset", "listening", "zero")}
    link.reshape(changed(link.shape, rest))
    if command.get("zero"):
        link.up.bytes = link.down.bytes = link.connections = 0
    if command.get("listening") is False:
        link.refuse()
    if command.get("reset"):
        link.reset()
    if command.get("listening") is True:
        link.refuse()
        await link.listen()


def state(link: Link) -> dict[str, object]:
    """The shape, the bytes each way, the connections accepted."""
    counts = {"up_bytes": link.up.bytes, "down_bytes": link.down.bytes, "connections": link.connections}
    return {**asdict(link.shape), **counts}


async def control(link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One request of the control address."""
    status, answer = 200, {}
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if head.startswith("post"):
            length = int(head.partition("content-length:")[2].split("\r\n")[0] or 0)
            if length > MAX_COMMAND:
                raise ValueError("the command is too long")
            command = json.loads(await reader.readexactly(length))
            if not isinstance(command, dict):
                raise ValueError("a command is an object")
            await execute(link, command)
        answer = state(link)
    except ValueError as error:
        status, answer = 422, {"error": str(error)}
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
        return
    body = json.dumps(answer).encode()
    head_lines = f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nConnection: close\r\n"
    writer.write(head_lines.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    writer.close()


async def serve(parsed: argparse.Namespace) -> None:
    """Run one link until the process ends."""
    shape = Shape(parsed.rate, parsed.delay, parsed.jitter, parsed.loss)
    link = Link(parsed.to, shape, parsed.seed)
    await link.listen(parsed.listen)
    controls = await asyncio.start_server(lambda r, w: control(link, r, w), *parsed.control)
    addresses = {"listen": link.address, "control": controls.sockets[0].getsockname()[:2]}
    print(json.dumps({name: f"{host}:{port}" for name, (host, port) in addresses.items()}), flush=True)
    await controls.serve_forever()


def address(text: str) -> tuple[str, int]:
    """HOST:PORT."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("links.proxy", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--to", type=address, required=True, metavar="HOST:PORT")
    for name in ("listen", "control"):
        parser.add_argument(f"--{name}", type=address, default=("127.0.0.1", 0), metavar="HOST:PORT")
    parser.add_argument("--rate", type=parse_rate, help="each way, shared by all connections, like 10mbit")
    parser.add_argument("--delay", type=parse_time, default=0.0, help="one way, like 50ms")
    parser.add_argument("--jitter", type=parse_time, default=0.0, help="added to the delay, at most")
    parser.add_argument("--loss", type=parse_share, default=0.0, help="of segments, like 0.5%%")
    parser.add_argument("--seed", type=int, default=1)
    try:
        asyncio.run(serve(parser.parse_args(arguments)))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

"""Child processes that get an order: one line of JSON on their standard input. A command line is no place for it: every
account of the machine can read that (PR66).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from typing import Any

MAX_LINE = 32 * 2**20
"""Bytes of a line that is read from a child."""


async def start_child(
    module: str, order: Mapping[str, Any], stderr: int = DEVNULL, environment: Mapping[str, str] | None = None
) -> Process:
    """``python -m module`` with this order; its standard input stays open. Raises OSError where no process can be
    started. ``environment``: variables besides those of this process.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module,
        stdin=PIPE, stdout=PIPE, stderr=stderr, limit=MAX_LINE, env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(json.dumps(order).encode() + b"\n")
    return process


def received_order() -> dict[str, Any]:
    """In the child: what it is to do. Ends the process if nobody waits for it any more."""
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        sys.exit(1)
    order: dict[str, Any] = json.loads(line)
    return order

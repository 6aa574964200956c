"""What a nursery's child can do. ``arm()`` begins to count file-system calls below the store."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx

from wavescope.api.app import build_app
from wavescope.cli.app import main
from wavescope.config import Config
from wavescope.service.composition import compose
from wavescope.service.lifecycle import Lifecycle

BASE = "http://127.0.0.1:8000"
Arm = Callable[[], None]
Asked = Sequence[Any]  # method, path, JSON, headers


def command(store: str, arm: Arm, arguments: list[str], stdin: str = "") -> int:
    """A ``wavescope`` command."""
    sys.stdin = io.StringIO(stdin)
    arm()
    return main(arguments)


def requests(
    store: str, arm: Arm, asked: list[Asked], access: str = "local", name: str = "", password: str = ""
) -> int:
    """Requests to the application, one after another, said as [index, status, body] as soon as each is answered."""
    return asyncio.run(_requests(Path(store), arm, asked, access, (name, password)))


async def _requests(store: Path, arm: Arm, asked: list[Asked], access: str, who: tuple[str, str]) -> int:
    config = Config(store=store, access=access, rate_limits=False, run_jobs=False, frontend=store / "nowhere")
    services = compose(config)
    await Lifecycle(services).start()
    transport = httpx.ASGITransport(build_app(services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers={"origin": BASE}, timeout=60) as client:
        if who[0]:
            answer = await client.post("/api/v1/sign-in", json={"name": who[0], "password": who[1]})
            if answer.status_code != 200:
                print(json.dumps(["sign-in", answer.status_code]), flush=True)
                return 3
        arm()
        for index, (method, path, body, headers) in enumerate(asked):
            answer = await client.request(method, path, json=body, headers=headers)
            print(json.dumps([index, answer.status_code, answer.text[:2000]]), flush=True)
    return 0  # not Lifecycle.stop(): a process that is killed does not stop either

"""Asking an application without a socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from service.world import running_service
from wavescope.api.app import build_app

API = "/api/v1"


@asynccontextmanager
async def running_client(store: Path, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a started service."""
    async with running_service(store, **options) as service:
        transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            yield client


def problem(response: httpx.Response) -> tuple[int, str]:
    """Status and name of a problem; fails on anything that is none."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    assert response.headers["cache-control"] == "no-store"
    body = response.json()
    assert body["status"] == response.status_code
    assert body["title"]
    assert body["detail"]
    return response.status_code, body["type"].removeprefix("/problems/")

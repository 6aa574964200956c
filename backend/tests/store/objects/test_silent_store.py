"""An object store that accepts connections and answers nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest

from edge.hostile import raw_origin, silent
from wavescope.errors import Unavailable
from wavescope.store.objects.client import Objects

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("whole", [False, True])
async def test_st86_a_read_is_not_awaited_longer_than_the_setting_says(
    monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    async with raw_origin(silent) as store:
        monkeypatch.setenv("AWS_ENDPOINT_URL", store.url)
        objects = Objects.at("s3://bucket", 1.0)
        started = monotonic()
        with pytest.raises(Unavailable, match="does not answer"):
            async with asyncio.timeout(60):
                await (objects.whole("a", 1000) if whole else objects.read("a", 0, 1000))
        assert monotonic() - started < 3


READS: dict[str, Callable[[Objects], Any]] = {
    "read_blocking": lambda objects: objects.read_blocking("a", 0, 1000),
    "whole_blocking": lambda objects: objects.whole_blocking("a", 1000),
    "pieces": lambda objects: list(objects.chunks("a")),
    "find": lambda objects: objects.find("a"),
    "under": lambda objects: list(objects.under("a")),
    "folders": lambda objects: objects.folders("a"),
}


@pytest.mark.parametrize("name", READS)
async def test_st86_a_read_in_a_thread_is_not_awaited_longer_either(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    async with raw_origin(silent) as store:
        monkeypatch.setenv("AWS_ENDPOINT_URL", store.url)
        objects = Objects.at("s3://bucket", 1.0)
        started = monotonic()
        with pytest.raises(Unavailable, match="does not answer"):
            await asyncio.to_thread(READS[name], objects)
        assert monotonic() - started < 3

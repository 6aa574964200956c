"""Attendance over HTTP: only the host reads it (SE60)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.parties import Party, party
from service.world import World


@pytest.fixture
async def live(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


async def test_the_host_sees_who_was_present_during_and_after_the_session_se60(live: Party) -> None:
    guest = await live.join("Ben")
    await live.join("Cleo")  # never connects
    path = f"/sessions/{live.id}/attendance"
    async with live.window() as ada:
        async with live.window(guest):
            await ada.until_event("member")
        await ada.until_event("absent")
        people = (await live.ask("GET", path, live.cookie)).json()["people"]
        assert [(one["name"], one["visits"][0]["ended"] is None) for one in people] == [("Ada", True), ("Ben", False)]
        await ada.do("end")
    people = (await live.ask("GET", path, live.cookie)).json()["people"]
    assert [one["visits"][0]["ended"] is None for one in people] == [False, False]
    answer = await live.ask("GET", f"{path}/file", live.cookie)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert [line.split(",")[0] for line in answer.text.splitlines()[1:]] == ["Ada", "Ben"]

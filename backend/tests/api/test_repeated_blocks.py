"""A service answers repeated GETs of blocks with the rates, entries and origins of its middleware (ED40)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from api.asking import API
from api.test_audit_trail import entries
from api.test_server import Served, serving
from service.world import World
from wavescope.api.middleware.rate_limits import LEASE
from wavescope.config import Rates


def directly(served: Served, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each request for a block was answered without the application, as they come."""
    served.service.catalog._trust_seconds = 600.0  # the database is asked once
    direct, found = served.server.config.app.state.repeated_blocks, []  # type: ignore[union-attr]
    answer = direct.answer

    def noted(*arguments: Any) -> Any:
        made = answer(*arguments)
        found.append(made is not None)
        return made

    monkeypatch.setattr(direct, "answer", noted)
    return found


def block_of(world: World) -> str:
    return f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/1/1"


async def test_direct_answers_are_counted_as_all_others_pr12(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"open_to_all": True, "rate_limits": True, "rates": Rates(rate_blocks=f"{2 * LEASE} per hour")}
    async with serving(world.copy(tmp_path / "store").store, **options) as served:
        found = directly(served, monkeypatch)
        statuses = [(await served.client.get(block_of(world))).status_code for _ in range(2 * LEASE + 2)]
        assert statuses == [200] * (2 * LEASE) + [429] * 2
        assert found.count(True) >= 2 * LEASE - 4  # a lease begins in the application


async def test_the_opening_of_a_slide_is_recorded_once_pr30(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(world.copy(tmp_path / "store").store) as served:
        found = directly(served, monkeypatch)
        answers = [await served.client.get(block_of(world)) for _ in range(4)]
        acts = [(record.entry.action, record.entry.slide_id) for record in await entries(served)]
        assert acts.count(("opened", "visual")) == 1
        assert found == [True] * 3
        assert len({answer.content for answer in answers}) == 1
        alike = [
            {name: answer.headers[name] for name in answer.headers if name not in ("date", "x-request-id")}
            for answer in answers
        ]
        assert all(one == alike[0] for one in alike)


@pytest.mark.parametrize(
    "options", [{"log_access": "all"}, {"slow_seconds": 0.0}], ids=["each request has a line", "each request is slow"]
)
async def test_where_requests_leave_lines_the_application_answers_op53(
    world: World, tmp_path: Path, options: dict[str, Any]
) -> None:
    async with serving(world.copy(tmp_path / "store").store, **options) as served:
        assert served.server.config.app.state.repeated_blocks is None  # type: ignore[union-attr]


async def test_pages_of_other_sites_have_their_headers_wi33(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(world.copy(tmp_path / "store").store, cors_origins=("http://other.example",)) as served:
        found = directly(served, monkeypatch)
        for _ in range(3):
            answer = await served.client.get(block_of(world), headers={"origin": "http://other.example"})
            assert answer.headers["access-control-allow-origin"] == "http://other.example"
        assert found == [True, True]

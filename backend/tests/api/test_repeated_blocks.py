"""A service answers repeated GETs of blocks with the rates, entries and origins of its middleware (ED40)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from api.accounts import clinic
from api.asking import API
from api.test_audit_trail import entries
from api.test_server import Served, serving
from edge.edges import served as listening
from edge.raw_http import Headers, connected
from service.world import World
from wavescope.api.middleware.rate_limits import LEASE
from wavescope.config import Rates
from wavescope.service.composition import Services


def directly(served: Served, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each request for a block was answered without the application, as they come."""
    return noted_of(served.service, served.server.config.app, monkeypatch)


def noted_of(service: Services, app: Any, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    service.catalog._trust_seconds = 600.0  # the database is asked once
    direct, found = app.state.repeated_blocks, list[bool]()
    answer = direct.response

    def noted(*arguments: Any) -> Any:
        made = answer(*arguments)
        found.append(made is not None)
        return made

    monkeypatch.setattr(direct, "response", noted)
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


async def test_a_right_that_is_taken_away_ends_at_once_for_a_known_head_ac20(
    damaged: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, slide = block_of(damaged), f"{API}/slides/visual"
    async with clinic(damaged.store, rate_limits=False) as site, listening(site.app) as url:
        found = noted_of(site.service, site.app, monkeypatch)
        ivan, vera = await site.signed_in("ivan"), await site.signed_in("vera")
        cookie = [("cookie", f"wavescope_sign_in={vera.cookies['wavescope_sign_in']}")]
        shares = {"public": False, "shares": [{"kind": "user", "id": site.ids["vera"], "right": "view"}]}
        link = await ivan.post(f"{slide}/links", json={"right": "view"})
        assert link.status_code in (200, 201), link.text
        token = [("authorization", f"Bearer {link.json()['token']}")]
        async with connected(url) as way:

            async def asked(headers: Headers) -> tuple[int, bool]:
                """The status of three such requests, and whether the last one was answered directly."""
                statuses = [(await way.ask(target, headers)).status for _ in range(3)]
                assert len(set(statuses)) == 1
                return statuses[-1], found[-1]

            for turn in range(2):
                assert (await ivan.put(f"{slide}/sharing", json=shares)).status_code == 200
                assert await asked(cookie) == (200, True)
                assert await asked([]) == (404, False)
                assert await asked(token) == ((200, True) if not turn else (401, False))
                assert (await ivan.put(f"{slide}/sharing", json={"public": False, "shares": []})).status_code == 200
                assert await asked(cookie) == (404, False)
                await ivan.delete(f"{API}/links/{link.json()['id']}")
            assert (await ivan.put(f"{slide}/sharing", json={"public": True, "shares": []})).status_code == 200
            assert await asked([]) == (200, True)
            assert await asked(cookie) == (200, True)
            assert (await vera.post(f"{API}/sign-out")).is_success
            assert (await asked(cookie))[0] == 401
            assert (await ivan.delete(slide)).is_success
            assert await asked([]) == (404, False)

"""Groups over real sockets: who gets which views, late members, older clients, a restart (SE62 to SE67)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.live_client import LiveClient
from api.parties import Party, party
from service.world import World
from wavescope.sessions.model import Group

BOTH = (1, 2)


@pytest.fixture
async def live(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


async def divide(ada: LiveClient, *groups: tuple[str, ...]) -> None:
    plans = [{"name": f"Group {number}", "members": list(one)} for number, one in enumerate(groups, 1)]
    assert (await ada.do("groups", groups=plans))["error"] is None


def group_of(client: LiveClient, number: int = 0) -> Group:
    assert client.state is not None
    return client.state.groups[number]


async def look_in_group(client: LiveClient, x: float, number: int = 0) -> None:
    view = {"l0_x": x, "l0_y": 200.0, "l0_width": 300.0, "l0_height": 400.0}
    await client.send({"type": "view", "pane": 0, "stage": group_of(client, number).stage.number, "view": view})


async def test_views_go_to_the_own_group_and_to_nobody_else_se63(live: Party) -> None:
    guests = [await live.join(name) for name in ("Ben", "Cleo", "Dan")]
    async with (
        live.stranger(live.cookie) as ada,
        live.stranger(guests[0]) as ben,
        live.stranger(guests[1]) as cleo,
        live.stranger(guests[2]) as dan,
    ):
        for one in (ada, ben, cleo, dan):
            await one.hello(versions=BOTH)
        await divide(ada, (ben.you, cleo.you), (dan.you,))
        for one in (ben, cleo, dan):
            await one.until_event("groups")
        await look_in_group(ben, 7.0)
        while not any(one["type"] == "tick" and one["views"] for one in cleo.seen):
            await cleo.hear()
        assert cleo.views() == [7.0]
        await ada.look(9.0)  # nobody in a group receives it
        await ada.until_view(9.0)
        assert (await dan.do("present", member=dan.you))["error"] is None
        assert (ada.views(), dan.views()) == ([9.0], [])
        assert (await ada.do("move", member=dan.you, group=None))["error"] is None
        await dan.until_view(9.0)
        await ada.look(11.0)
        await dan.until_view(11.0)
        assert cleo.views() == [7.0]
        assert (await ada.do("groups", groups=[]))["error"] is None
        await cleo.until_view(11.0)


async def test_each_group_waits_only_for_its_own_presenter_who_moves_se18(live: Party) -> None:
    guests = [await live.join(name) for name in ("Ben", "Cleo", "Dan", "Eve")]
    async with (
        live.stranger(live.cookie) as ada,
        live.stranger(guests[0]) as ben,
        live.stranger(guests[1]) as cleo,
        live.stranger(guests[2]) as dan,
        live.stranger(guests[3]) as eve,
    ):
        for one in (ada, ben, cleo, dan, eve):
            await one.hello(versions=BOTH)
        assert ada.state is not None
        settings = ada.state.settings.model_copy(update={"everyone_steers": True}).model_dump()
        assert (await ada.do("settings", settings=settings))["error"] is None
        await divide(ada, (ben.you, cleo.you), (dan.you, eve.you))
        for one in (ben, cleo, dan, eve):
            await one.until_event("groups")
        session = await live.live_session()
        session._movements.note(ben.you, 2**52)  # the presenter of the first group has not stopped moving
        assert (await eve.do("stage", stage={"slide": "planes"}))["error"] is None
        assert group_of(eve, 1).presenter == eve.you
        assert (await cleo.do("stage", stage={"slide": "planes"}))["error"]["code"] == "busy"
        await look_in_group(cleo, 7.0)
        assert (await cleo.do("follow", following=True))["error"] is None
        assert group_of(cleo).presenter == ben.you


async def test_who_joins_late_and_who_comes_back_sees_the_own_group_se65(live: Party) -> None:
    ben_cookie = await live.join("Ben")
    async with live.stranger(live.cookie) as ada, live.stranger(ben_cookie) as ben:
        for one in (ada, ben):
            await one.hello(versions=BOTH)
        await divide(ada, (ben.you,))
        await ben.until_event("groups")
        await look_in_group(ben, 7.0)
        while not ben.views():
            await ben.hear()
        async with live.stranger(await live.join("Late")) as late:
            await late.hello(versions=BOTH)
            assert group_of(late).members == (ben.you, late.you)
            assert [one.view.l0_x for one in group_of(late).views] == [7.0]


async def test_a_client_that_knows_no_groups_stays_with_all_se67(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        assert ben.welcome["version"] == 1
        await divide(ada, (ben.you,))
        await ben.until_event("hands-lowered")
        assert ben.state is not None
        assert (ben.state.groups, ben.state.presenter) == ((), ada.you)
        await ada.look(5.0)
        await ben.until_view(5.0)
        sequence = ben.state.sequence
    async with live.window() as ada, live.stranger(guest) as again:
        assert (await again.hello(sequence=sequence - 2))["resumed"]
        assert "groups" not in [one["event"]["kind"] for one in again.seen if one["type"] == "event"]
        await ada.do("follow", following=True)


async def test_groups_outlive_a_session_that_is_opened_again_se64(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.stranger(live.cookie) as ada, live.stranger(guest) as ben:
        for one in (ada, ben):
            await one.hello(versions=BOTH)
        await divide(ada, (ben.you,))
        assert (await ben.do("stage", stage={"slide": "planes"}))["error"] is None
    session = await live.live_session()
    session.fail(RuntimeError("the session is opened again"))
    async with live.stranger(guest) as ben:
        await ben.hello(versions=BOTH)
        assert (group_of(ben).stage.slide, group_of(ben).presenter) == ("planes", ben.you)

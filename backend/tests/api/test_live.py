"""Live sessions over real sockets: presenting, following, coming late, losing and finding each other (session.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from api.live_client import VIEW, view_at
from api.parties import Party, party
from service.world import World
from wavescope.sessions import limits

LINK = {
    "scale": 1.0, "rotation": 0.0, "mirrored": False, "plane_step": 1.0, "plane_shift": 0.0, "l0_dx": 5.0, "l0_dy": 0.0,
    "zoom": 1.0,
}  # fmt: skip
FULL_VIEW = {
    **VIEW,
    "rotation": 33.5,
    "flip": True,
    "plane": 1,
    "adjustments": {"gamma": 1.5, "white": [240, 241, 239]},
}


@pytest.fixture
async def live(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


async def test_a_followers_view_is_the_presenters_to_the_last_bit_se17(live: Party) -> None:
    guest = await live.join("Ben")
    view: dict[str, Any] = {**FULL_VIEW, "l0_x": 1234.56789012345}
    motion = {"l0_vx": 900.0, "l0_vy": -3.5, "target": view_at(1500.0)}
    async with live.window() as ada, live.window(guest) as ben:
        await ada.send({"type": "view", "pane": 0, "stage": 1, "view": view, "motion": motion})
        (look,) = (await ben.until_view(view["l0_x"]))["views"]
        assert look["view"] == view
        assert look["by"] == ada.you
        assert (look["motion"]["l0_vx"], look["motion"]["target"]["l0_x"]) == (900.0, 1500.0)


async def test_a_view_may_mix_64_channels_cm8(live: Party) -> None:
    guest = await live.join("Ben")
    adjustments = {f"c{c}": [0xFFFFFF, -32768, -32767, 1000] for c in range(64)} | {"gamma": -0.1234567890123456}
    async with live.window() as ada, live.window(guest) as ben:
        view = {**FULL_VIEW, "l0_x": 77.0, "adjustments": adjustments}
        motion = {"l0_vx": 1.0, "l0_vy": 0.0, "target": view}
        await ada.send({"type": "view", "pane": 0, "stage": 1, "view": view, "motion": motion})
        (look,) = (await ben.until_view(77.0))["views"]
        assert look["view"]["adjustments"] == look["motion"]["target"]["adjustments"] == adjustments


async def test_who_comes_late_gets_the_whole_state_se14(live: Party) -> None:
    guest, late = await live.join("Ben"), await live.join("Cleo")
    async with live.window() as ada, live.window(guest) as ben:
        pair = {"slide": "visual", "pair": {"slide": "planes", "mode": "side", "link": LINK}}
        await ada.do("stage", stage=pair, views=[{"pane": 1, "view": view_at(7.0)}])
        await ada.do("note", text="invasive front")
        await ben.do("hand", member=ben.you, raised=True)
        await ben.do("follow", following=False)
        await ada.until_event("member")
        await ada.look(77.0)
        await ada.point(5.0, laser=True)
        await ben.until_view(77.0)
        while not (ben.state and ben.state.cursors):
            await ben.hear()
        async with live.window(late) as cleo:
            assert cleo.state is not None
            await ben.until_event("member")
            assert cleo.state.model_copy(update={"cursors": ()}) == ben.state.model_copy(update={"cursors": ()})
            assert cleo.state.cursors == ben.state.cursors
            assert [look.view.l0_x for look in cleo.state.views] == [7.0, 77.0]
            assert (cleo.state.cursors[0].laser, cleo.state.stage.pair and cleo.state.stage.pair.slide) == (
                True,
                "planes",
            )
            colors = {member.color for member in cleo.state.members}
            assert [member.name for member in cleo.state.members] == ["Ada", "Ben", "Cleo"]
            assert len(colors) == 3


async def test_presenting_is_handed_over_and_taken_back(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        assert (await ben.do("present", member=ben.you))["error"]["code"] == "not-allowed"
        assert (await ada.do("present", member=ben.you))["error"] is None
        await ben.until_event("presenter")
        await ben.look(5.0)
        await ada.until_view(5.0)
        await ada.do("present", member=ada.you)
        await ben.until_event("presenter")
        await ben.look(6.0)  # too late: it is passed over
        await ada.look(7.0)
        await ben.until_view(7.0)
        assert not any(
            look["view"]["l0_x"] == 6.0 for tick in ben.seen if tick["type"] == "tick" for look in tick["views"]
        )


async def test_everyone_may_steer_and_pause_holds_the_view_se18_se22(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        await ada.do("settings", settings={"everyone_steers": True, "guests_annotate": False, "locked": False})
        await ben.until_event("settings")
        await ben.look(11.0)
        event = await ada.until_event("presenter")
        assert (event["presenter"], event["reason"]) == (ben.you, "steering")
        await ada.until_view(11.0)
        await ada.do("pause", paused=True)
        await ben.until_event("state")
        await ben.look(12.0)
        assert (await ben.do("stage", stage={"slide": "planes"}))["error"]["code"] == "paused"
        await ada.do("pause", paused=False)
        await ben.until_event("state")
        await ben.look(13.0)
        await ada.until_view(13.0)
        assert ada.views() == [11.0, 13.0]


async def test_another_slide_comes_with_its_view_and_what_was_sent_for_the_old_one_is_dropped_se16(
    live: Party,
) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        views = [{"pane": 0, "view": view_at(50.0)}]
        await ada.send({"type": "stage", "ref": 1, "stage": {"slide": "planes"}, "views": views})
        await ada.send({"type": "view", "pane": 0, "stage": 1, "view": view_at(1.0)})
        await ada.send({"type": "view", "pane": 0, "stage": 2, "view": view_at(51.0)})
        event = await ben.until_event("stage")
        assert (event["stage"]["slide"], event["stage"]["number"], event["views"][0]["view"]["l0_x"]) == (
            "planes",
            2,
            50,
        )
        while not (ben.state and ben.state.views[0].view.l0_x == 51.0):
            await ben.hear()


async def test_annotations_that_change_are_reported_with_their_number_se35(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window(guest) as ben:
        url = f"/slides/visual/annotations/{'a' * 8}"
        content = {"kind": "point", "geometry": {"type": "Point", "coordinates": [3, 4]}}
        saved = await live.ask("PUT", url, live.cookie, json=content)
        assert saved.status_code == 428
        body = {"changes": [{"id": "a1", "revision": 0, "content": content}]}
        saved = await live.ask("POST", "/slides/visual/annotations:batch", live.cookie, json=body)
        tick = await ben.until("tick")
        assert tick["annotations"] == [{"slide": "visual", "sequence": saved.json()["sequence"]}]
        changed = await live.ask("GET", "/slides/visual/annotations?since=0", guest)
        assert [one["id"] for one in changed.json()["annotations"]] == ["a1"]


async def test_cursors_are_named_and_go_with_their_owner_se31(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada:
        async with live.window(guest) as ben:
            await ben.point(3.0)
            while not (ada.state and ada.state.cursors):
                await ada.hear()
            assert ada.state.cursors[0].by == ben.you
            await ben.point(None)
            while ada.state.cursors:
                await ada.hear()
            await ben.point(4.0)
            while not ada.state.cursors:
                await ada.hear()
        event = await ada.until_event("absent")
        assert event["members"] == [ben.you]
        assert ada.state.cursors == ()


async def test_a_window_that_comes_back_gets_what_it_missed_and_does_nothing_twice_se14_se20(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada:
        async with live.window(guest, "window-7") as ben:
            ref = (await ben.do("hand", member=ben.you, raised=True))["ref"]
            assert ben.state is not None
            sequence, known = ben.state.sequence, ben.state
        await ada.do("note", text="meanwhile")
        await ada.look(9.0)
        async with live.stranger(guest, "window-7") as again:
            again.state = known
            welcome = await again.hello(sequence)
            assert (welcome["resumed"], welcome["state"], welcome["last_ref"]) == (True, None, ref)
            await again.until_view(9.0)
            assert [note.text for note in again.state.notes] == ["meanwhile"]
            await again.send({"type": "hand", "member": again.you, "ref": ref, "raised": True})  # the same once more
            ack = await again.until("ack", ref=ref)
            assert ack["error"] is None
            await again.send({"type": "note", "ref": 1, "text": "out of order"})
            await again.until("ack", ref=1)
            member = again.state.member(again.you)
            assert member is not None
            assert (member.hand, len(again.state.notes)) == (None, 1)


@pytest.mark.parametrize("sequence", [10_000, 2**53 - 1])
async def test_a_sequence_that_has_not_been_gets_the_state_se14(live: Party, sequence: int) -> None:
    async with live.stranger(live.cookie) as ada:
        welcome = await ada.hello(sequence)
        assert (welcome["resumed"], welcome["state"]["owner"]) == (False, "m1")


async def test_who_missed_more_than_is_kept_gets_the_state_se14(live: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    async with live.window() as ada:
        assert ada.state is not None
        early = ada.state.sequence
        session = await live.live_session()
        for number in range(limits.RETAINED_EVENTS + 1):
            session.change_title(f"Title {number}", session.state.code)
        await session.settled()
    async with live.stranger(live.cookie) as again:
        welcome = await again.hello(early)
        assert (welcome["resumed"], welcome["state"]["title"]) == (False, f"Title {limits.RETAINED_EVENTS}")


@pytest.mark.slow
async def test_a_lost_presenter_is_waited_for_then_succeeded_se33(live: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada:
        async with live.window(guest) as ben:
            await ada.do("present", member=ben.you)
        event = await ada.until_event("presenter")
        while event["reason"] != "grace":
            event = await ada.until_event("presenter")
        async with live.window(guest):
            assert (await ada.until_event("presenter"))["reason"] == "returned"
            monkeypatch.setattr(limits, "GRACE_MS", 0)
        while event["reason"] != "lost":
            event = await ada.until_event("presenter")
        assert event["presenter"] == ada.you


@pytest.mark.slow
async def test_a_session_without_a_possible_presenter_is_paused_until_one_comes_se33(
    live: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GRACE_MS", 0)
    guest = await live.join("Ben")
    async with live.window(guest) as ben:
        async with live.window():
            pass
        event = await ben.until_event("state")
        assert (event["state"], event["reason"], ben.state and ben.state.presenter) == ("paused", "lost", None)
        async with live.window():
            assert (await ben.until_event("state"))["state"] == "live"
            state = ben.state
            assert state is not None
            assert state.presenter == state.owner


async def test_the_fifth_window_of_a_member_closes_the_first_se4(live: Party) -> None:
    async with AsyncExitStack() as stack:
        windows: list[Any] = []
        for number in range(5):
            windows.append(await stack.enter_async_context(live.window(client=f"window-{number}")))
        assert (await windows[0].closed())[0] == 4409
        await windows[4].do("note", text="still here")
        assert {window.you for window in windows} == {"m1"}


async def test_the_end_is_reported_and_the_code_is_dead_se1(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        await ada.send({"type": "end", "ref": 1})
        assert await ben.closed() == (4410, "the session has ended")
        await ada.until("ack", ref=1)
        assert (await ada.closed())[0] == 4410
    assert (await live.knock(nickname="Cleo")).status_code == 404
    async with live.stranger(guest) as late:
        await late.send({"type": "hello", "versions": [1], "client": "window-0"})
        assert (await late.closed())[0] == 4410
    listed = (await live.ask("GET", f"/sessions/{live.id}", live.cookie)).json()
    assert (listed["state"], listed["ended"] is not None) == ("ended", True)


async def test_leaving_is_for_good_for_guests_and_not_for_the_owner(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        await ben.send({"type": "leave", "ref": 1})
        assert (await ben.closed())[0] == 1000
        event = await ada.until_event("gone")
        assert event["reason"] == "left"
        await ada.send({"type": "leave", "ref": 1})
        assert (await ada.closed())[0] == 1000
    async with live.window() as back:
        assert back.state is not None
        assert back.state.presenter == back.you

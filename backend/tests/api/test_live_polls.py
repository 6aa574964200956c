"""Polls over real sockets: who learns what, and what outlives the service (SE54, SE55)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.live_client import LiveClient
from api.parties import Party, hold, party
from api.processes import free_port, process
from service.world import World

CHOICE = {"kind": "single", "question": "Which grade?", "options": ["1", "2", "3"]}


@pytest.fixture
async def live(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


async def asked(presenter: LiveClient, **more: Any) -> str:
    assert (await presenter.do("ask-poll", **{**CHOICE, **more}))["error"] is None
    assert presenter.state is not None
    return presenter.state.polls[-1].id


async def results(presenter: LiveClient, poll: str, counts: list[int]) -> None:
    """Waits for these results."""
    while [one["results"]["counts"] for one in presenter.private["results"] if one["poll"] == poll] != [counts]:
        await presenter.hear()


def sent_to(client: LiveClient) -> str:
    """All that the service has sent to a client."""
    return json.dumps(client.seen)


async def test_presenter_and_owner_see_results_that_the_others_see_once_they_are_revealed_se55(live: Party) -> None:
    guest, other = await live.join("Ben"), await live.join("Cleo")
    async with live.window() as ada, live.window(guest) as ben, live.window(other) as cleo:
        poll = await asked(ada)
        await ben.do("answer-poll", poll=poll, answer={"choices": [2]})
        assert (await ben.until("private"))["answers"] == [{"poll": poll, "answer": {"choices": [2], "point": None}}]
        await results(ada, poll, [0, 0, 1])
        await cleo.until_event("poll-answered")
        assert cleo.seen[-1]["by"] is None
        assert '"choices"' not in sent_to(cleo) + sent_to(ada)
        assert ben.private["results"] == cleo.private["results"] == []
        await ada.do("close-poll", poll=poll, reveal=True)
        event = await cleo.until_event("poll")
        assert (event["poll"]["results"]["counts"], event["poll"]["answered"]) == ([0, 0, 1], 1)


async def test_a_former_presenter_learns_no_further_results_se55(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        poll = await asked(ada)
        await ada.do("present", member=ben.you)
        await results(ben, poll, [0, 0, 0])
        await ada.do("present", member=ada.you)
        while ben.private["results"]:
            await ben.hear()


async def test_answers_are_those_of_the_member_in_all_windows_and_after_a_loss_se55(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada:
        poll = await asked(ada)
        async with live.window(guest) as ben, live.window(guest, "window-two") as two:
            await ben.do("answer-poll", poll=poll, answer={"choices": [0]})
            while not two.private["answers"]:
                await two.hear()
            assert two.private["answers"][0]["answer"]["choices"] == [0]
        async with live.window(guest) as again:
            assert (await again.until("private"))["answers"][0]["answer"]["choices"] == [0]


async def test_a_deleted_poll_is_restored_with_its_answers_which_are_stored_again_se70(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada:
        poll = await asked(ada)
        async with live.window(guest) as ben:
            await ben.do("answer-poll", poll=poll, answer={"choices": [2]})
            await ada.do("delete-poll", poll=poll)
            await ben.until_event("poll-deleted")
        async with live.window(guest) as ben:
            assert (await ada.do("restore-poll", poll=poll))["error"] is None
            while not ben.private["answers"]:
                await ben.hear()
            assert ben.private["answers"][0]["answer"]["choices"] == [2]
            await results(ada, poll, [0, 0, 1])
        await ada.do("delete-poll", poll=poll)
        await ada.do("restore-poll", poll=poll)
    (await live.live_session()).fail(RuntimeError("the session is opened again"))
    async with live.window() as ada:
        await results(ada, poll, [0, 0, 1])
        await ada.do("delete-poll", poll=poll)
    (await live.live_session()).fail(RuntimeError("the session is opened again"))
    async with live.window() as ada:
        assert (await ada.do("restore-poll", poll=poll))["error"]["code"] == "unknown-poll"


@pytest.mark.slow
async def test_answers_outlive_a_killed_service_se55(world: World, tmp_path: Path) -> None:
    store, port = world.copy(tmp_path / "store").store, free_port()
    async with process(store, port) as child:
        live = await hold(port)
        guest = await live.join("Ben")
        async with live.window() as ada, live.window(guest, "window-ben") as ben:
            poll = await asked(ada, named=True)
            await ben.do("answer-poll", poll=poll, answer={"choices": [1]})
            child.kill()
            await ada.gone()
    async with process(store, port), live.window() as ada:
        await ada.do("close-poll", poll=poll, reveal=True)
        assert ada.state is not None
        shown = ada.state.polls[0].results
        assert shown is not None
        assert [(one.by, one.answer.choices) for one in shown.answers] == [("m2", (1,))]


async def test_a_recording_has_no_answer_that_was_not_revealed_se55(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        await ada.do("record", on=True)
        poll = await asked(ada, named=True)
        await ben.do("answer-poll", poll=poll, answer={"choices": [1]})
        await ada.until_event("poll-answered")
        await ada.do("record", on=False)
        await (await live.live_session()).update()
        (recording,) = (await live.ask("GET", "/recordings")).json()["recordings"]
        text = (await live.ask("GET", f"/recordings/{recording['id']}/entries")).text
        assert "poll-answered" in text
        assert "choices" not in text

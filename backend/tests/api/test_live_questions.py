"""Questions over real sockets: who learns what, and what outlives the service (SE56 to SE58)."""

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

SECRET = "Why is the nucleus so dark?"


@pytest.fixture
async def live(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


async def asked(asker: LiveClient, text: str = SECRET, **more: Any) -> str:
    assert (await asker.do("ask-question", text=text, **more))["error"] is None
    assert asker.state is not None
    return asker.state.questions[-1].id


async def learned_own(member: LiveClient, questions: list[str], votes: list[str]) -> None:
    """Waits until the member has learned which are its own."""
    while (member.private["questions"], member.private["votes"]) != (questions, votes):
        await member.hear()


def sent_to(client: LiveClient) -> str:
    """All that the service has sent to a client."""
    return json.dumps([client.welcome, client.seen])


async def test_nobody_learns_who_asks_and_votes_and_each_knows_the_own_se57(live: Party) -> None:
    guest, other = await live.join("Ben"), await live.join("Cleo")
    async with live.window() as ada, live.window(guest) as ben, live.window(other) as cleo:
        question = await asked(ben)
        await cleo.until_event("question")
        assert (await cleo.do("vote-question", question=question, vote=True))["error"] is None
        await ada.until_event("question-voted")
        sent = [one for one in (*ada.seen, *cleo.seen) if one["type"] == "event" and "question" in one["event"]["kind"]]
        assert {one["by"] for one in sent} == {None}
        assert {one["event"]["question"]["by"] for one in sent if one["event"]["kind"] == "question"} == {None}
        await learned_own(ben, [question], [])
        await learned_own(cleo, [], [question])
        assert (await ada.do("answer-question", question=question, answered=True))["error"] is None
        assert (await cleo.until_event("question"))["question"]["answered"] is True


async def test_nothing_of_a_hidden_question_is_sent_also_to_who_resumes_se58(live: Party) -> None:
    guest = await live.join("Mallory")
    async with live.window() as ada:
        begun = ada.welcome["state"]["sequence"]
        async with live.window(guest) as mallory:
            question = await asked(mallory)
        await ada.do("hide-question", question=question, hidden=True)
        late = await live.join("Cleo")
        async with live.stranger(late) as cleo:
            welcome = await cleo.hello(sequence=begun)
            assert (welcome["resumed"], welcome["state"]["questions"]) == (False, [])
            await ada.do("note", text="now")
            await cleo.until_event("note")
            assert SECRET not in sent_to(cleo)
        assert (await ada.do("hide-question", question=question, hidden=False))["error"] is None
        assert ada.state is not None
        assert [one.text for one in ada.state.questions] == [SECRET]


@pytest.mark.slow
async def test_questions_votes_and_what_is_hidden_outlive_a_killed_service_se58(world: World, tmp_path: Path) -> None:
    store, port = world.copy(tmp_path / "store").store, free_port()
    async with process(store, port) as child:
        live = await hold(port)
        guest = await live.join("Ben")
        async with live.window() as ada, live.window(guest, "window-ben") as ben:
            hidden, shown = await asked(ben), await asked(ben, "Which stain?", named=True)
            begun = ada.welcome["state"]["sequence"]
            await ada.do("vote-question", question=hidden, vote=True)
            await ada.do("hide-question", question=hidden, hidden=True)
            child.kill()
            await ada.gone()
    async with process(store, port):
        async with live.stranger(live.cookie) as ada:
            welcome = await ada.hello(sequence=begun)
            assert [(one["id"], one["by"]) for one in welcome["state"]["questions"]] == [(shown, "m2")]
            assert SECRET not in json.dumps(welcome)
        async with live.window() as ada:
            await ada.do("hide-question", question=hidden, hidden=False)
            assert ada.state is not None
            assert [(one.id, one.votes) for one in ada.state.questions] == [(shown, 0), (hidden, 1)]


async def test_a_recording_has_no_questions_se58(live: Party) -> None:
    guest = await live.join("Ben")
    async with live.window() as ada, live.window(guest) as ben:
        await asked(ben)
        await ada.until_event("question")
        await ada.do("record", on=True)
        await asked(ben, "Another one?")
        await ada.until_event("question")
        await ada.do("note", text="after it")
        await ada.do("record", on=False)
        await (await live.live_session()).update()
        (recording,) = (await live.ask("GET", "/recordings")).json()["recordings"]
        text = (await live.ask("GET", f"/recordings/{recording['id']}/entries")).text
        assert "after it" in text
        assert SECRET not in text
        assert "Another one?" not in text

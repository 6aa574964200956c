"""A catalog that does not answer for a while does not stop the event loop (OP45)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import httpx
import pytest

from api.accounts import clinic
from api.asking import API, problem
from service.outages import DRIVER
from service.world import World
from wavescope.catalog.database import ChangeWatch
from wavescope.errors import CatalogAway

PATIENCE = 20.0  # seconds, for what must come


class SlowWatch:
    """In place of ``ChangeWatch.changed``: waits for ``answer`` while ``slow``, then fails if ``away``."""

    def __init__(self) -> None:
        self.asked, self.answer = threading.Event(), threading.Event()
        self.slow = self.away = False
        self.attempts = 0
        self.loop_thread = threading.get_ident()

    def changed(self, watch: ChangeWatch) -> bool:
        if self.slow:
            assert threading.get_ident() != self.loop_thread, "the event loop waits for the catalog"
            self.attempts += 1
            self.asked.set()
            assert self.answer.wait(PATIENCE)
            if self.away:
                raise CatalogAway(DRIVER)
        return CHANGED(watch)


CHANGED = ChangeWatch.changed


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowWatch]:
    slow = SlowWatch()
    monkeypatch.setattr(ChangeWatch, "changed", lambda watch: slow.changed(watch))
    yield slow
    slow.answer.set()


def paths(world: World) -> list[str]:
    """Requests that ask the catalog from the event loop."""
    slide = f"{API}/slides/visual"
    version = f"{slide}/v/{world.digests['visual']}"
    return [
        f"{version}/blocks/0/0/0/1/1",
        f"{version}/tiles/0/0/1/1.png",
        f"{version}/colour",
        f"{slide}/colour",
    ]


@pytest.mark.parametrize("away", [False, True])
async def test_others_are_answered_while_a_block_waits_for_the_catalog_op45(
    damaged: World, watch: SlowWatch, away: bool
) -> None:
    async with clinic(damaged.store) as site:
        ivan = await site.signed_in("ivan")
        before = [(await ivan.get(path)).status_code for path in paths(damaged)]
        watch.slow, watch.away = True, away
        site.service.catalog._trusted_until = 0.0  # it is asked again
        waiting = [asyncio.ensure_future(ivan.get(path)) for path in paths(damaged)[:1] * 20]
        await asyncio.to_thread(watch.asked.wait, PATIENCE)
        assert (await ivan.get("/healthz")).status_code == 200  # while the first request waits
        assert not any(one.done() for one in waiting)
        watch.answer.set()
        answers: list[httpx.Response] = await asyncio.gather(*waiting)
        if away:
            assert {problem(one) for one in answers} == {(503, "unavailable")}
            assert watch.attempts < 4  # one thread has waited for all; periodic work may ask too
        else:
            assert {one.status_code for one in answers} == {200}
            assert [(await ivan.get(path)).status_code for path in paths(damaged)] == before == [200, 200, 200, 307]

"""Announcements to all other nodes, over PostgreSQL (CL6 to CL8)."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

from wavescope.catalog.cluster.nodes import MAX_PAYLOAD
from wavescope.errors import AnnouncementTooLarge
from wavescope.logs.loggers import get_logger
from wavescope.service.outages import OUTAGES, Backoff

WAITING = 1000  # announcements that wait for a database that does not answer
MISSED = "missed"  # the topic by which a node says that it could not announce everything
TOPIC = re.compile(r"[a-z][a-z-]{0,39}")

Listener = Callable[[str], None]
Send = Callable[[str], Any]

log = get_logger(__name__)


class Channel:
    """Of one node. Use it on the event loop, except ``post``. ``send`` passes a payload on and waits for SQL; it raises
    CatalogAway.

    Announcements of one node arrive in their order, each at most once. A node does not receive its own.
    """

    def __init__(self, instance: str, send: Callable[[str], None]) -> None:
        self._instance, self._send = instance, send
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self._gaps: list[Callable[[], None]] = []
        self._waiting: deque[str] = deque()
        self._more = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._backoff = Backoff(float("inf"), 0.1, 1.0)

    def subscribe(self, topic: str, listener: Listener, missed: Callable[[], None] | None = None) -> None:
        """Calls ``listener`` with the text of each later announcement of this topic by other nodes, and ``missed`` when
        some may have been lost. Both return at once.
        """
        assert TOPIC.fullmatch(topic), topic
        self._listeners[topic].append(listener)
        if missed is not None:
            self._gaps.append(missed)

    async def publish(self, topic: str, text: str = "") -> None:
        """Announces to all other nodes; returns when PostgreSQL has it. Raises AnnouncementTooLarge, CatalogAway."""
        await asyncio.to_thread(self._send, self._payload(topic, text))

    def post(self, topic: str, text: str = "") -> None:
        """Announces soon; waits for a database that does not answer. In any thread. Raises AnnouncementTooLarge.

        Where more than WAITING announcements wait, they are dropped, and the other nodes learn that.
        """
        payload = self._payload(topic, text)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._add, payload)

    def received(self, payload: str) -> None:
        """An announcement has arrived."""
        sender, _, rest = payload.partition(" ")
        topic, _, text = rest.partition(" ")
        if sender == self._instance:
            return
        if topic == MISSED:
            self.missed()
        for listener in tuple(self._listeners.get(topic, ())):
            try:
                listener(text)
            except Exception:  # of one listener: the others are called
                log.exception("an announcement was not handled", topic=topic)

    def missed(self) -> None:
        """Announcements of other nodes may have been lost."""
        for gap in self._gaps:
            try:
                gap()
            except Exception:
                log.exception("a gap in the announcements was not handled")

    async def run(self) -> None:
        """Sends what is posted, until it is cancelled."""
        self._loop, failures = asyncio.get_running_loop(), 0
        while True:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                payload = self._waiting[0]
                try:
                    await asyncio.to_thread(self._send, payload)
                except OUTAGES:
                    failures += 1
                    await asyncio.sleep(self._backoff.pause(failures, 0.0) or 0.0)
                    continue
                except Exception:  # of one announcement: the others are sent
                    log.exception("an announcement was not sent")
                failures = 0
                if self._waiting and self._waiting[0] is payload:
                    self._waiting.popleft()

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on ``post`` adds to what ``run`` sends."""
        self._loop = loop

    def _payload(self, topic: str, text: str) -> str:
        assert TOPIC.fullmatch(topic), topic
        payload = f"{self._instance} {topic} {text}"
        size = len(payload.encode())
        if size > MAX_PAYLOAD or "\0" in payload:
            raise AnnouncementTooLarge(topic, size, MAX_PAYLOAD)
        return payload

    def _add(self, payload: str) -> None:
        if len(self._waiting) >= WAITING:
            self._waiting.clear()
            payload = f"{self._instance} {MISSED} "
        self._waiting.append(payload)
        self._more.set()

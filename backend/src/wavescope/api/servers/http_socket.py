"""uvicorn's HTTP connection with bounds: on the time and size of a request's head, on how slowly a body may come and
an answer may be read, on the answers that nobody reads, and on the number of connections (PR15, PR16, PR67)."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from wavescope.api.middleware.forwarding import TrustedProxies
from wavescope.api.middleware.rate_limits import client_key
from wavescope.api.servers.open_files import max_connections
from wavescope.api.servers.unread import Budget, Unread, too_many
from wavescope.config import Limits
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.service.access.audit import shortened

CLOSE = (b"connection", b"close")  # a header of all answers while the service drains
Phase = Literal["idle", "head", "body"]
CAUSES = {431: "head-too-large", 408: "head-too-slow", 503: "too-many-connections"}

log = get_logger(__name__)


class HeadTooLarge(Exception):
    """Stops the parser."""


class HttpSocket(HttpToolsProtocol):
    """Between two requests it is idle; uvicorn's own timer ends that."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits: Limits = config.app.state.api.services.config.limits  # type: ignore[union-attr]
        self._requests = self._size = 0  # that began in the data that are parsed; bytes of these data
        self._phase: Phase = "head"
        self._timed: Phase = "idle"  # the phase that ``_timer`` ends
        self._timer: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self.unread: Unread | None = None  # of its answer, while the client reads more slowly than it is written
        self._holds = False  # whether the next request waits until the client has read the last answer
        self._received = 0  # bytes of this head, or of a body since the timer was set
        self.since = self.loop.time()  # when it began to wait for a head, or was answered last

    # -- calls of the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._settle()
        if len(self.connections) > max_connections(self._limits.connections) and not self._close_idle():
            self._reject(503, "Too many connections.")

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        self._requests, self._size = 0, len(data)
        super().data_received(data)
        if self.parser is None or self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if self._phase == "idle" and self._is_answered_to_the_last():
            self._wait_for_head()  # something came that is no request yet
        if self._phase == "head" and self._received > self._limits.header_bytes:
            self._reject(431, "The request's head is too large.")
            return
        self._settle()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_timers()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(self._limits.stalled_seconds, self._look_at_reader)
            size = self.transport.get_write_buffer_size()
            self.unread = Unread(self._asking(), self.loop.time(), size, size)
            self._keep_budget()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        self.unread = None
        if self._holds:
            self._holds = False
            self.on_response_complete()

    def on_response_complete(self) -> None:
        """A connection has one answer in memory: the next request waits until the client has read this one (PR67)."""
        if self.flow.write_paused and not self.transport.is_closing():
            self._holds = True
            self.flow.pause_reading()
        else:
            super().on_response_complete()

    # -- calls of the parser

    def on_message_begin(self) -> None:
        self._requests += 1
        super().on_message_begin()
        if self._phase != "head":
            self._wait_for_head()

    def on_headers_complete(self) -> None:
        if not self._requests or self._size > self._limits.header_bytes:  # it may have come in several pieces
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > self._limits.header_bytes:
                raise HeadTooLarge
        super().on_headers_complete()
        self._phase, self._received = "body", 0

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._phase = "idle"

    def send_400_response(self, msg: str) -> None:
        """Of what the parser refuses."""
        parsing = sys.exception()
        if parsing is not None and isinstance(parsing.__context__, HeadTooLarge):
            self._reject(431, "The request's head is too large.")
        else:
            self._note("not-http")
            super().send_400_response(msg)

    # -- waiting

    def _is_answered_to_the_last(self) -> bool:
        """Whether every request that was passed to the application is answered."""
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_head(self) -> None:
        self._phase, self._received, self.since = "head", 0, self.loop.time()

    def _settle(self) -> None:
        """One timer, for the phase that the connection is in."""
        if self._phase == self._timed:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timed = self._phase
        if self._phase == "head":
            self._timer = self.loop.call_later(self._limits.header_seconds, self._head_is_late)
        elif self._phase == "body":
            self._timer = self.loop.call_later(self._limits.body_seconds, self._look_at_body)

    def _head_is_late(self) -> None:
        if self._received:
            self._reject(408, "The request's head came too slowly.")
        else:
            self.transport.close()

    def _look_at_body(self) -> None:
        if self._received < self._limits.body_progress and not self.flow.read_paused:
            self._drop("body-too-slow")
            return
        self._received = 0
        self._timer = self.loop.call_later(self._limits.body_seconds, self._look_at_body)

    def _look_at_reader(self) -> None:
        if self.unread is None:
            return
        left = self.transport.get_write_buffer_size()
        if self.unread.left - left < self._limits.body_progress:
            self._drop("answer-not-read")
            return
        self.unread = replace(self.unread, left=left)
        self._stalled = self.loop.call_later(self._limits.stalled_seconds, self._look_at_reader)

    def _keep_budget(self) -> None:
        """Ends connections whose clients do not read, until the answers in memory are not too many (PR67)."""
        waiting = [
            (one, replace(one.unread, left=one.transport.get_write_buffer_size()))
            for one in self.connections
            if isinstance(one, HttpSocket) and one.unread is not None
        ]
        budget = Budget(self._limits.unread_client_bytes, self._limits.unread_bytes)
        for place in too_many([unread for _, unread in waiting], budget, self.loop.time()):
            connection, _ = waiting[place]
            connection._end_unread()

    def _end_unread(self) -> None:
        """Soon, not while it is being written to; until then it does not count."""
        self.unread = None
        self.loop.call_soon(self._drop, "answers-not-read")

    def _asking(self) -> str:
        """The client of the last request, as its proxy states it if that is trusted (PR14)."""
        peer = self.client[0] if self.client else ""
        proxies = self.config.app.state.api.services.config.trusted_proxies  # type: ignore[union-attr]
        return client_key((_trusted(proxies).client_of(peer, self.headers) if proxies else None) or peer)

    def _close_idle(self) -> bool:
        """Closes the connection that has waited longest for a request; whether there was one."""
        others = [one for one in self.connections if isinstance(one, HttpSocket) and one is not self and one.waiting]
        if not others:
            return False
        oldest = min(others, key=lambda one: one.since)
        self.connections.discard(oldest)
        oldest.transport.close()
        return True

    @property
    def waiting(self) -> bool:
        """Whether no request is being answered or read beyond its head."""
        return self._phase != "body" and self._is_answered_to_the_last()

    def _reject(self, status: int, text: str) -> None:
        if self.transport.is_closing():
            return
        self._note(CAUSES[status])
        if self._is_answered_to_the_last():
            head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head % len(text) + text.encode())
        self.transport.close()

    def _drop(self, cause: str) -> None:
        """Ends the connection at once."""
        self._note(cause)
        self.transport.abort()

    def _note(self, cause: str) -> None:
        """Counts and logs a connection that ends without an answer of the application (OP59)."""
        precision = self.config.app.state.api.services.config.audit_addresses  # type: ignore[union-attr]
        client = shortened(self.client[0] if self.client else "", precision)
        fault(log, "connection refused", "connection", cause, client=client)

    def _stop_timers(self) -> None:
        for timer in (self._timer, self._stalled):
            if timer is not None:
                timer.cancel()
        self._timer = self._stalled = self.unread = None


@lru_cache(maxsize=8)
def _trusted(addresses: tuple[str, ...]) -> TrustedProxies:
    return TrustedProxies(addresses)

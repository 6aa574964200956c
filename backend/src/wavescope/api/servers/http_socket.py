"""uvicorn's HTTP connection with bounds: on the time and size of a request's head, on how slowly a body may come and
an answer may be read, and on the number of connections (PR15, PR16)."""

from __future__ import annotations

import asyncio
import sys
from typing import Any, Literal

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from wavescope.api.servers.direct_blocks import DirectBlocks
from wavescope.config import Limits
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.service.access.audit import shortened

OWN_FILES = 256  # of this process, beside its connections
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
        self._direct: DirectBlocks | None = getattr(config.app, "direct", None)
        self._answered = False  # whether the request was answered without the application
        self._phase: Phase = "head"
        self._timed: Phase = "idle"  # the phase that ``_timer`` ends
        self._timer: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._received = 0  # bytes of this head, or of a body since the timer was set
        self.since = self.loop.time()  # when it began to wait for a head

    # -- calls of the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._settle()
        if len(self.connections) > most_connections(self._limits.connections) and not self._close_idle():
            self._refuse(503, "Too many connections.")

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        self._answered = False
        super().data_received(data)
        if self.parser is None or self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if self._phase == "idle" and not self._answered and self._is_answered_to_the_last():
            self._wait_for_head()  # something came that is no request yet
        if self._phase == "head" and self._received > self._limits.header_bytes:
            self._refuse(431, "The request's head is too large.")
            return
        self._settle()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_timers()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(self._limits.stalled_seconds, self._drop, "answer-not-read")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    # -- calls of the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._phase != "head":
            self._wait_for_head()

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self._limits.header_bytes:
            raise HeadTooLarge
        self._answered = self._answer_directly()
        if not self._answered:
            super().on_headers_complete()
        self._phase, self._received = "body", 0

    def on_message_complete(self) -> None:
        if not self._answered:
            super().on_message_complete()
        self._phase = "idle"

    def send_400_response(self, msg: str) -> None:
        """Of what the parser refuses."""
        parsing = sys.exception()
        if parsing is not None and isinstance(parsing.__context__, HeadTooLarge):
            self._refuse(431, "The request's head is too large.")
        else:
            self._note("not-http")
            super().send_400_response(msg)

    # -- answers without the application

    def _answer_directly(self) -> bool:
        """Whether the request whose head has come is answered now. Answers go in the order of the requests."""
        parser = self.parser
        if (
            self._direct is None
            or parser.get_method() != b"GET"
            or parser.get_http_version() != "1.1"
            or not parser.should_keep_alive()
            or parser.should_upgrade()
            or not self._is_answered_to_the_last()
            or self.flow.write_paused
            or self.transport.is_closing()
        ):
            return False
        answer = self._direct.answer(self.url, self.headers, self.client[0] if self.client else "")
        if answer is None:
            return False
        lines: list[bytes | memoryview] = [STATUS_LINE[answer.status_code]]
        for name, value in (*self.server_state.default_headers, *answer.raw_headers):
            lines += (name, b": ", value, b"\r\n")
        lines += (b"\r\n", answer.body)
        self.transport.write(b"".join(lines))
        self.on_response_complete()
        return True

    def _is_answered_to_the_last(self) -> bool:
        """Whether every request that was passed to the application is answered."""
        return self.cycle is None or self.cycle.response_complete

    # -- waiting

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
            self._refuse(408, "The request's head came too slowly.")
        else:
            self.transport.close()

    def _look_at_body(self) -> None:
        if self._received < self._limits.body_progress and not self.flow.read_paused:
            self._drop("body-too-slow")
            return
        self._received = 0
        self._timer = self.loop.call_later(self._limits.body_seconds, self._look_at_body)

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

    def _refuse(self, status: int, text: str) -> None:
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
        self._timer = self._stalled = None


def most_connections(wanted: int) -> int:
    """The number that is wanted, at most what the system's limit of open files allows."""
    if sys.platform == "win32":
        return wanted
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if files == resource.RLIM_INFINITY else min(wanted, max(16, files - OWN_FILES))

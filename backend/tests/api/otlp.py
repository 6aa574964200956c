"""A collector of traces on loopback: it receives OTLP over HTTP and parses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass(frozen=True)
class Received:
    """A span. ``began`` and ``ended`` in nanoseconds; ``failed``: its status is an error."""

    name: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, Any]
    began: int
    ended: int
    failed: bool


@dataclass
class Collector:
    """What has arrived: spans, and every request as text. ``status``: of the answers; with another than 200 nothing
    arrives.
    """

    endpoint: str = ""
    status: int = 200
    spans: list[Received] = field(default_factory=list)
    text: str = ""

    def named(self, name: str) -> list[Received]:
        """The spans of a name in the order in which they began."""
        return sorted((span for span in self.spans if span.name == name), key=lambda span: span.began)

    def take(self, body: bytes) -> None:
        """Reads a request."""
        request = ExportTraceServiceRequest.FromString(body)
        self.text += str(request)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.spans += [_read(span) for span in scope.spans]


def _read(span: Any) -> Received:
    attributes = {one.key: _value(one.value) for one in span.attributes}
    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
    times = (span.start_time_unix_nano, span.end_time_unix_nano)
    assert not span.events  # an exception's message would be one
    assert span.status.message == ""
    return Received(span.name, *ids, attributes, *times, span.status.code == 2)


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_value(one) for one in value.array_value.values] if kind == "array_value" else getattr(value, kind)


@contextmanager
def collector() -> Iterator[Collector]:
    """One that listens."""
    found = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            body = self.rfile.read(int(self.headers["content-length"]))
            if found.status == 200:
                found.take(body)
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(found.status)
            self.send_header("content-type", "application/x-protobuf")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found.endpoint = f"http://127.0.0.1:{server.server_port}/v1/traces"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()

"""Spans of OpenTelemetry, sent to a collector by OTLP over HTTP (OP64 to OP67).

Needs the extra ``traces``, so it is imported only where traces are switched on. Names and attributes of spans follow
the rule for lines of the log (OP52): no secret, no text of a user or of a file, no path.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import (
    INVALID_SPAN,
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    get_current_span,
    set_span_in_context,
    use_span,
)

from wavescope.logs.loggers import get_logger
from wavescope.logs.tracing import TRACE, RequestTrace

EXPORT_SECONDS = 5.0  # that one export may take; also how long a service that stops waits for the last one
TRACE_ID = re.compile(r"[0-9a-f]{32}")

log = get_logger(__name__)

Value = str | int | float | bool | Sequence[int]


class Spans:
    """The spans of one service. Thread-safe. ``ratio``: the part of the traces that begin here that is recorded."""

    def __init__(self, endpoint: str, ratio: float, version: str) -> None:
        self._provider = TracerProvider(
            sampler=ParentBased(TraceIdRatioBased(ratio)),
            resource=Resource.create({"service.name": "wavescope", "service.version": version}),
            id_generator=_RequestIds(),
            shutdown_on_exit=False,
        )
        exporter = _Exporter(OTLPSpanExporter(endpoint=endpoint, timeout=EXPORT_SECONDS))
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("wavescope", version)

    def flush(self) -> None:
        """Sends what has ended; waits for the collector, at most EXPORT_SECONDS."""
        self._provider.force_flush(int(EXPORT_SECONDS * 1000))

    def stop(self) -> None:
        """As ``flush``; further spans are not sent."""
        self.flush()
        self._provider.shutdown()

    @contextmanager
    def request(self) -> Iterator[Span]:
        """The span of the request that is worked on, in the trace of its ``traceparent``. Its id is the parent id of
        the requests to other nodes that it causes (OP51). It may be ended earlier.
        """
        trace = TRACE.get() or RequestTrace("")
        span = self._tracer.start_span("request", _caller(trace), SpanKind.SERVER)
        found = span.get_span_context()
        flags, parent = f"{int(found.trace_flags):02x}", f"{found.span_id:016x}"
        TRACE.set(replace(trace, trace=f"{found.trace_id:032x}", flags=flags, span=parent))
        with _current(span):
            yield span

    @contextmanager
    def work(self, name: str, **attributes: Value) -> Iterator[Span]:
        """A span of work that may outlast the request that caused it; its trace is that of the request, if any."""
        with _current(self._tracer.start_span(name, attributes=attributes)) as span:
            yield span

    @contextmanager
    def inside(self, name: str, **attributes: Value) -> Iterator[Span]:
        """A span inside the one that is recorded now; without one there is none."""
        with _current(self.begin(name, **attributes)) as span:
            yield span

    def begin(self, name: str, **attributes: Value) -> Span:
        """As ``inside``, ended by its ``end``."""
        if not get_current_span().is_recording():
            return INVALID_SPAN
        return self._tracer.start_span(name, attributes=attributes)

    def past(self, name: str, since: int, **attributes: Value) -> None:
        """As ``inside``, of work that ends now. ``since``: when it began, nanoseconds since 1970."""
        if get_current_span().is_recording():
            self._tracer.start_span(name, attributes=attributes, start_time=since).end()


def failed(span: Span, cause: str) -> None:
    """Marks a span as failed; ``cause``: the class of the error, whose message may contain texts of users."""
    span.set_attribute("error.type", cause)
    span.set_status(Status(StatusCode.ERROR))


@contextmanager
def _current(span: Span) -> Iterator[Span]:
    """The span while it is worked on, and its end."""
    if span is INVALID_SPAN:
        yield span
        return
    try:
        with use_span(span, record_exception=False, set_status_on_exception=False):
            yield span
    except Exception as error:
        if span.is_recording():
            failed(span, type(error).__name__)
        raise
    finally:
        if span.is_recording():
            span.end()


def _caller(trace: RequestTrace) -> Context:
    """What the span of a request begins in: the caller's span, or nothing."""
    if not trace.trace:
        return Context()
    flags = TraceFlags(int(trace.flags, 16) & TraceFlags.SAMPLED)
    caller = SpanContext(int(trace.trace, 16), int(trace.parent, 16), is_remote=True, trace_flags=flags)
    return set_span_in_context(NonRecordingSpan(caller), Context())


class _Exporter(SpanExporter):
    """Sends by ``inner``; logs when the collector stops to receive spans and when it receives them again."""

    def __init__(self, inner: SpanExporter) -> None:
        self._inner, self._failing = inner, False
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # which repeats each failure, with the URL

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._inner.export(spans)
        failing = result is not SpanExportResult.SUCCESS
        if failing and not self._failing:
            log.warning("the collector does not receive traces", lost_spans=len(spans))
        elif self._failing and not failing:
            log.info("the collector receives traces again")
        self._failing = failing
        return result

    def shutdown(self) -> None:
        self._inner.shutdown()


class _RequestIds(RandomIdGenerator):
    """The id of a trace that begins with a request is the request's, if it can be one (OP51)."""

    def generate_trace_id(self) -> int:
        trace = TRACE.get()
        if trace is not None and TRACE_ID.fullmatch(trace.id) and int(trace.id, 16):
            return int(trace.id, 16)
        return super().generate_trace_id()

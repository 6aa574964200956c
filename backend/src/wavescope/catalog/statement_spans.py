"""A span of each statement on the database (OP65): its text without any value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, event

if TYPE_CHECKING:
    from wavescope.logs.spans import Spans

VALUE = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b")  # none is expected: statements have parameters
LONGEST = 2000  # characters
KINDS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"})
SPAN = "wavescope_span"  # the attribute of a statement's execution


def trace_statements(engine: Engine, spans: Spans) -> None:
    """From now on statements that belong to a recorded request have spans."""

    @event.listens_for(engine, "before_cursor_execute")
    def begin(_connection: Any, _cursor: Any, statement: str, _parameters: Any, execution: Any, _many: bool) -> None:
        kind = statement.split(None, 1)[0].upper() if statement.strip() else ""
        name = kind if kind in KINDS else "statement"
        text = VALUE.sub("?", statement)[:LONGEST]
        span = spans.begin(name, **{"db.system.name": engine.dialect.name, "db.query.text": text})
        setattr(execution, SPAN, span)

    @event.listens_for(engine, "after_cursor_execute")
    def end(_connection: Any, _cursor: Any, _statement: str, _parameters: Any, execution: Any, _many: bool) -> None:
        getattr(execution, SPAN).end()

    @event.listens_for(engine, "handle_error")
    def fail(failure: Any) -> None:
        span = getattr(failure.execution_context, SPAN, None)
        if span is not None:
            span.set_attribute("error.type", type(failure.original_exception).__name__)
            span.end()

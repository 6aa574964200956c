"""The lines of the log: where they go and what they look like (OP50)."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any, TextIO, cast

import structlog
from structlog.types import EventDict, Processor

from wavescope.errors import InvalidParameter
from wavescope.logs.faults import LineBound
from wavescope.logs.safe import failure_of
from wavescope.logs.tracing import current_id

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("auto", "text", "json")
OWN = "wavescope"
CONSTANT = ("uvicorn", "asyncio", "alembic")  # whose templates contain no text of a user
QUIET = ("uvicorn", "websockets", "sqlalchemy", "httpx", "httpcore", "alembic", "asyncio", "PIL", "tifffile")

LIBRARY_LINES = 10  # a minute, of each template of a library: a client can cause some of them with each request

counts: Counter[tuple[str, str]] = Counter()
"""Lines of level warning and above by (level, event), for metrics: there is a number for each fault that is logged."""


def configure(level: str = "info", form: str = "auto", stream: TextIO | None = None) -> None:
    """Sends all loggers of the process to ``stream`` (default: the standard error output).

    ``form``: ``json``, ``text``, or ``auto``: text on a terminal, else JSON. Raises InvalidParameter.
    """
    if level not in LEVELS:
        raise InvalidParameter("WAVESCOPE_LOG_LEVEL", level, " or ".join(LEVELS))
    if form not in FORMATS:
        raise InvalidParameter("WAVESCOPE_LOG_FORMAT", form, " or ".join(FORMATS))
    stream = stream or sys.stderr
    text = is_text(form, stream)
    handler = logging.StreamHandler(stream)
    handler.addFilter(LibraryBound())
    handler.setFormatter(formatter(text=text, colors=text and stream.isatty()))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)


def is_text(form: str, stream: TextIO | None = None) -> bool:
    """Whether lines of this form are text on the stream (default: the standard error output)."""
    return form == "text" or (form == "auto" and (stream or sys.stderr).isatty())


def announce(event: str, **fields: str) -> None:
    """Logs where a service is and that it has begun, whatever the level of the log is."""
    logger = logging.getLogger(OWN)
    logger.handle(logger.makeRecord(OWN, logging.INFO, "", 0, event, (), None, extra=fields))


class LibraryBound(logging.Filter):
    """Leaves out lines of a library above LIBRARY_LINES (OP59)."""

    def __init__(self) -> None:
        super().__init__()
        self._bound = LineBound(LIBRARY_LINES)

    def filter(self, record: logging.LogRecord) -> bool:
        return record.name.split(".")[0] == OWN or self._bound.left_out(record.name, str(record.msg)[:200]) is not None


def formatter(*, text: bool, colors: bool = False) -> logging.Formatter:
    """The formatter of every line, whichever library logs it."""
    renderer: Processor
    if text:
        renderer = structlog.dev.ConsoleRenderer(colors=colors, pad_event_to=0, pad_level=False)
    else:
        renderer = structlog.processors.JSONRenderer(ensure_ascii=False)
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.ExtraAdder(),
            _described,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _ordered, renderer],
    )


def _described(_logger: Any, _method: str, fields: EventDict) -> EventDict:
    """Adds level, logger, request and error; drops what a library says of users and files."""
    record = cast(logging.LogRecord, fields["_record"])
    fields["level"], fields["logger"] = record.levelname.lower(), record.name
    if record.name.split(".")[0] != OWN:
        fields["event"] = _foreign(record)
        fields["at"] = f"{record.filename}:{record.lineno}"
    request = current_id()
    if request:
        fields.setdefault("request_id", request)
    fields.pop("exc_info", None)
    if record.exc_info and record.exc_info[1] is not None:
        fields.update(failure_of(record.exc_info[1]))
    if record.levelno >= logging.WARNING:
        counts[fields["level"], str(fields["event"])] += 1
    return fields


def _foreign(record: logging.LogRecord) -> str:
    """The first line of a template of a library that is known to contain no text of a user; its values are dropped."""
    library = record.name.split(".")[0]
    if library not in CONSTANT or not isinstance(record.msg, str):
        return f"message of {library}"
    return next(iter(record.msg.splitlines()), "")


def _ordered(_logger: Any, _method: str, fields: EventDict) -> Mapping[str, Any]:
    """The same members come first in every line."""
    first = ("timestamp", "level", "event")
    return {name: fields[name] for name in first} | {
        k: v for k, v in fields.items() if k not in first and k != "exc_info"
    }

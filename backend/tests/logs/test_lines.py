"""The lines of the log."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from wavescope.errors import InvalidParameter
from wavescope.logs.lines import configure, counts
from wavescope.logs.loggers import get_logger
from wavescope.logs.tracing import TRACE, RequestTrace

PATIENT = "Doe Jane 1950"
log = get_logger("wavescope.test")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where lines go; the loggers are as before in the end."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)
    logging.captureWarnings(False)


def test_a_line_of_json_has_time_level_event_and_fields_op50(stream: io.StringIO) -> None:
    configure("info", "json", stream)
    token = TRACE.set(RequestTrace("request-1"))
    log.info("job made", job="0123", count=2)
    log.debug("too fine")
    TRACE.reset(token)
    (line,) = stream.getvalue().splitlines()
    found = json.loads(line)
    assert found.pop("timestamp").endswith("Z")
    assert found == {
        "level": "info", "event": "job made", "logger": "wavescope.test", "request_id": "request-1", "job": "0123",
        "count": 2,
    }  # fmt: skip


def test_text_is_for_people_op50(stream: io.StringIO) -> None:
    configure("info", "text", stream)
    log.info("job made", job="0123")
    assert "job made" in stream.getvalue()
    assert "job=0123" in stream.getvalue()


def test_without_a_terminal_auto_is_json_op50(stream: io.StringIO) -> None:
    configure("info", "auto", stream)
    log.info("job made")
    assert json.loads(stream.getvalue())["event"] == "job made"


@pytest.mark.parametrize(("level", "form"), [("loud", "json"), ("info", "xml")])
def test_other_levels_and_formats_are_refused_op50(stream: io.StringIO, level: str, form: str) -> None:
    with pytest.raises(InvalidParameter):
        configure(level, form, stream)


def test_an_error_stands_in_one_line_without_its_message_op52(stream: io.StringIO) -> None:
    configure("info", "json", stream)
    try:
        raise ValueError(PATIENT)
    except ValueError:
        log.exception("it failed")
    found = json.loads(stream.getvalue())
    assert (found["error"], found["level"]) == ("ValueError", "error")
    assert "test_lines.py" in found["trace"]
    assert PATIENT not in stream.getvalue()


@pytest.mark.parametrize("name", ["tifffile", "PIL.Image", "uvicorn.error", "asyncio", "py.warnings", "a_new_library"])
def test_a_library_says_nothing_of_users_and_files_op52(stream: io.StringIO, name: str) -> None:
    configure("info", "json", stream)
    library = logging.getLogger(name)
    library.warning("cannot read %s", PATIENT)
    library.error(f"constant, then\n{PATIENT}")
    if name.split(".")[0] not in ("uvicorn", "asyncio"):
        library.error(f"cannot read {PATIENT}")
    assert PATIENT not in stream.getvalue()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert all(line["logger"] == name and line["at"].startswith("test_lines.py:") for line in lines)


def test_lines_of_warnings_and_errors_are_counted_by_event_op58(stream: io.StringIO) -> None:
    configure("info", "json", stream)
    before = counts["warning", "a rare event"]
    log.warning("a rare event")
    log.info("a rare event")
    assert counts["warning", "a rare event"] == before + 1

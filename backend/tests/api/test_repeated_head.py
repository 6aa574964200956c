"""Requests that differ from the one before in their target alone (ED40)."""

from __future__ import annotations

import pytest

from wavescope.api.servers.direct_blocks import Head, RepeatedHead
from wavescope.service.access.authenticator import NOTHING

HEAD = Head(NOTHING, "127.0.0.1", None)
LINES = b"host: a\r\naccept: */*\r\n\r\n"
REPEATED = RepeatedHead(LINES, HEAD)
MOST = 1000


def get(target: bytes, lines: bytes = LINES) -> bytes:
    return b"GET %b HTTP/1.1\r\n%b" % (target, lines)


def test_header_lines_are_what_follows_the_first_line() -> None:
    assert RepeatedHead.of(get(b"/a"), b"/a", HEAD) == REPEATED


@pytest.mark.parametrize(
    "data",
    [
        get(b"/b"),
        b"\r\n" + get(b"/a"),
        b"GET  /a HTTP/1.1\r\n" + LINES,
        b"GET /a HTTP/1.1\n" + LINES,
        b"GET /a HTTP/1.0\r\n" + LINES,
        b"HEAD /a HTTP/1.1\r\n" + LINES,
    ],
)
def test_a_first_line_of_another_form_is_not_remembered(data: bytes) -> None:
    assert RepeatedHead.of(data, b"/a", HEAD) is None


def test_requests_in_a_row_are_found_one_after_another() -> None:
    data = get(b"/a") + get(b"/bcd")
    assert list(REPEATED.targets(data, MOST)) == [(b"/a", len(get(b"/a"))), (b"/bcd", len(data))]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GET",
        get(b"/a")[:-1],
        get(b"/a", b"accept: */*\r\n\r\n"),
        get(b"/a", LINES.replace(b"a", b"b")),
        get(b"/a", b"cookie: x\r\n" + LINES),
        get(b"/a", LINES[:-2] + b"cookie: x\r\n\r\n"),
        get(b"/a").replace(b"GET", b"PUT"),
        get(b"/a").replace(b"HTTP/1.1", b"HTTP/1.0"),
        get(b"/a").replace(b"\r\n", b"\n"),
        get(b"/" + b"a" * MOST),
    ],
)
def test_anything_else_is_left_to_the_parser(data: bytes) -> None:
    assert list(REPEATED.targets(data, MOST)) == []
    assert list(REPEATED.targets(get(b"/z") + data, MOST)) == [(b"/z", len(get(b"/z")))]


def test_every_prefix_of_requests_ends_with_the_last_whole_one() -> None:
    data = get(b"/a") + get(b"/b")
    one = len(get(b"/a"))
    for size in range(len(data)):
        assert [end for _, end in REPEATED.targets(data[:size], MOST)] == ([one] if size >= one else [])

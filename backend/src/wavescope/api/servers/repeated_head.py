"""Requests on one connection that differ in their targets alone: a browser repeats all header lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wavescope.api.servers.direct_blocks import Head

METHOD, VERSION, END = b"GET ", b" HTTP/1.1", b"\r\n"


class RepeatedHead(NamedTuple):
    """``lines``: the header lines of a request without a body, with the empty line that ends them; what they say."""

    lines: bytes
    head: Head

    @classmethod
    def of(cls, data: bytes, target: bytes, head: Head) -> RepeatedHead | None:
        """From the bytes of one request, which the parser has read; None if its first line has another form."""
        first = METHOD + target + VERSION + END
        return cls(data[len(first) :], head) if data.startswith(first) else None

    def targets(self, data: bytes, most: int) -> Iterator[tuple[bytes, int]]:
        """Of each request with these lines at the beginning of ``data``: its target, and where the next one begins.
        ``most``: bytes of a request.
        """
        start = 0
        while start < len(data):
            line_end = data.find(END, start)
            end = line_end + len(END) + len(self.lines)
            if (
                line_end < 0
                or end - start > most
                or not data.startswith(METHOD, start)
                or not data.startswith(VERSION, line_end - len(VERSION))
                or not data.startswith(self.lines, line_end + len(END))
            ):
                return
            yield data[start + len(METHOD) : line_end - len(VERSION)], end
            start = end

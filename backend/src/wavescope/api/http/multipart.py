"""Bodies of several parts (RFC 2046), read as they come: no part is in memory as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator

from wavescope.errors import InvalidParameter

HEAD = 16 << 10
"""Bytes that the headers of a part, and what comes before the first one, may have."""
LONGEST_BOUNDARY = 70
BLANK_LINE = b"\r\n\r\n"
ENDS = b"--"


def boundary_in(content_type: str) -> bytes:
    """The boundary of a media type's parameters. Raises InvalidParameter."""
    for one in content_type.split(";")[1:]:
        name, _, value = one.partition("=")
        boundary = value.strip().strip('"')
        if name.strip().lower() == "boundary" and 0 < len(boundary) <= LONGEST_BOUNDARY and boundary.isascii():
            return boundary.encode()
    raise InvalidParameter("Content-Type", content_type[:80], f"a boundary of at most {LONGEST_BOUNDARY} characters")


async def multipart_parts(chunks: AsyncIterator[bytes], boundary: bytes) -> AsyncIterator[AsyncIterator[bytes]]:
    """The content of each part. What is left of a part is passed over when the next one is requested.

    Raises InvalidParameter for a body that is no such body, or ends early.
    """
    reader = _Reader(chunks, b"\r\n--" + boundary)
    await reader.discard(reader.content(), HEAD)
    while not await reader.at_end():
        await reader.skip_head()
        content = reader.content()
        yield content
        await reader.discard(content)


class _Reader:
    """What has come and is not read yet. The delimiter of the first part may be at the very beginning."""

    def __init__(self, chunks: AsyncIterator[bytes], delimiter: bytes) -> None:
        self._chunks, self._delimiter = aiter(chunks), delimiter
        self._waiting = bytearray(b"\r\n")

    async def content(self) -> AsyncIterator[bytes]:
        """Up to the next delimiter, which is read too."""
        while (at := self._waiting.find(self._delimiter)) < 0:
            certain = len(self._waiting) - len(self._delimiter) + 1  # what follows may begin a delimiter
            if certain > 0:
                chunk = bytes(self._waiting[:certain])
                del self._waiting[:certain]
                yield chunk
            await self._more()
        chunk = bytes(self._waiting[:at])
        del self._waiting[: at + len(self._delimiter)]
        if chunk:
            yield chunk

    async def discard(self, content: AsyncIterator[bytes], limit: int | None = None) -> None:
        """Reads what is left, at most so many bytes."""
        passed = 0
        async for chunk in content:
            passed += len(chunk)
            if limit is not None and passed > limit:
                raise _malformed()

    async def at_end(self) -> bool:
        """Whether the delimiter that was just read is the last one."""
        while len(self._waiting) < len(ENDS):
            await self._more()
        return self._waiting.startswith(ENDS)

    async def skip_head(self) -> None:
        """Reads the headers of a part, which say nothing that is not in its content."""
        while (at := self._waiting.find(BLANK_LINE)) < 0:
            if len(self._waiting) > HEAD:
                raise _malformed()
            await self._more()
        del self._waiting[: at + len(BLANK_LINE)]

    async def _more(self) -> None:
        try:
            self._waiting += await anext(self._chunks)
        except StopAsyncIteration:
            raise _malformed() from None


def _malformed() -> InvalidParameter:
    return InvalidParameter(
        "body", "its parts", "parts with headers, each ended by the boundary, and the last boundary"
    )

"""Accept headers of DICOMweb, and bodies of several parts (DW10, DW15)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from wavescope.api.http.multipart import boundary_in, multipart_parts
from wavescope.api.problems import NotAcceptable
from wavescope.api.routes.protocols.dicom_frames import choose
from wavescope.errors import InvalidParameter
from wavescope.service.protocols.dicom.transfer import HTJ2K, JPEG, JPEG_2000, UNCOMPRESSED, Transfer

RELATED = "multipart/related; type="


@pytest.mark.parametrize(
    ("accept", "count", "expected", "multipart"),
    [
        ("", 1, UNCOMPRESSED, True),
        ("*/*", 2, UNCOMPRESSED, True),
        ("multipart/related", 1, UNCOMPRESSED, True),
        (RELATED + '"image/jpeg"', 3, JPEG, True),
        (RELATED + "image/jpeg; transfer-syntax=1.2.840.10008.1.2.4.50", 3, JPEG, True),
        (RELATED + '"application/octet-stream"', 1, UNCOMPRESSED, True),
        (RELATED + '"application/octet-stream"; transfer-syntax=*', 1, JPEG, True),
        (RELATED + '"application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1', 1, UNCOMPRESSED, True),
        ("*/*; transfer-syntax=*", 1, JPEG, True),
        ("*/*; transfer-syntax=1.2.840.10008.1.2.4.201", 1, HTJ2K, True),
        (RELATED + '"image/*"', 1, JPEG, True),
        (RELATED + '"image/jls", ' + RELATED + '"image/jp2"; q=0.2, ' + RELATED + "image/jphc;q=0.5", 1, HTJ2K, True),
        (RELATED + '"image/jp2"; transfer-syntax=1.2.840.10008.1.2.4.90', 1, JPEG_2000, True),
        ("image/jpeg", 1, JPEG, False),
        ("image/jpeg;q=0.1, application/octet-stream", 1, UNCOMPRESSED, False),
    ],
)
def test_which_transfer_syntax_is_chosen_dw10(accept: str, count: int, expected: Transfer, multipart: bool) -> None:
    assert choose(accept, count)[:2] == (expected, multipart)


@pytest.mark.parametrize(
    ("accept", "count"),
    [
        ("image/jpeg", 2),
        ("video/mp4", 1),
        ("*/*;q=0", 1),
        (RELATED + '"image/jpeg"; transfer-syntax=1.2.840.10008.1.2.4.70', 1),
        (RELATED + '"image/jpeg"; q=x', 1),
        (";;,=", 1),
    ],
)
def test_what_cannot_be_made_is_refused_dw10(accept: str, count: int) -> None:
    with pytest.raises(NotAcceptable):
        choose(accept, count)


async def chunks(body: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


async def parts_of(body: bytes, size: int, *, read: bool = True) -> list[bytes]:
    found = []
    async for part in multipart_parts(chunks(body, size), b"edge"):
        found.append(b"".join([piece async for piece in part]) if read else b"")
    return found


BODY = b"preamble\r\n--edge\r\nA: b\r\n\r\none\r\n--edgy\r\n\r\n--edge \r\n\r\n\r\n"
BODY += b"--edge\r\nA: b\r\n\r\nthree\r\n--edge--\r\nafter"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
async def test_parts_are_read_whatever_the_chunks_dw15(size: int) -> None:
    assert await parts_of(BODY, size) == [b"one\r\n--edgy\r\n", b"", b"three"]
    assert len(await parts_of(BODY, size, read=False)) == 3


async def test_a_body_that_ends_early_is_refused_at_every_length_dw15() -> None:
    whole = BODY.removesuffix(b"--\r\nafter")
    for length in range(len(whole)):
        with pytest.raises(InvalidParameter):
            await parts_of(whole[:length], 50)


@pytest.mark.parametrize("media", ["multipart/related", "a; boundary=", f"a; boundary={'x' * 71}", 'a; boundary="é"'])
def test_a_body_without_a_boundary_is_refused_dw15(media: str) -> None:
    with pytest.raises(InvalidParameter):
        boundary_in(media)

"""What an edge stores of the page and of manifests: only what the origin says that it is, for all who accept it."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import tifffile

from api.asking import problem
from api.test_overlays import ended
from edge.conftest import Place
from edge.edges import edge
from edge.hostile import raw_origin
from edge.test_edge import BLOCK, publish
from wavescope.api.http.codings import digest_field
from wavescope.catalog.access.sharing import SharingTable

ASSET = "/assets/index-AbCd1234.js"
Change = Callable[[list[tuple[bytes, bytes]], bytes], bytes]
"""Changes the headers of an answer in place, and returns its body."""


def cut(headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    headers[:] = [one for one in headers if one[0] != b"content-length"]  # it ends with its connection
    return body[: len(body) // 2]


def flipped(_: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]


def with_cookie(headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    headers.append((b"set-cookie", b"wavescope_sign_in=stolen"))
    return body


def without_digest(headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    headers[:] = [one for one in headers if one[0] != b"repr-digest"]
    return body


def changing(inner: Any, change: Change) -> Any:
    """The application with every answer changed."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        start: Any = None
        body = b""

        async def collects(message: Any) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if not message.get("more_body", False):
                headers = list(start["headers"])
                changed = change(headers, body)
                await send({**start, "headers": headers})
                await send({"type": "http.response.body", "body": changed})

        await inner(scope, receive, collects)

    return app


@pytest.fixture
def page(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files of a built page at the origin."""
    files = {"index.html": b"<!doctype html>" * 9, ASSET[1:]: b"let x\n" * 99, f"{ASSET[1:]}.br": b"brotli" * 9}
    dist = tmp_path / "dist"
    for name, content in files.items():
        (dist / name).parent.mkdir(parents=True, exist_ok=True)
        (dist / name).write_bytes(content)
    monkeypatch.setattr(place.clinic.app.router.default, "_dist", dist)
    return files


@pytest.mark.parametrize("change", [cut, flipped, with_cookie, without_digest])
@pytest.mark.parametrize("path", [ASSET, "/slides/visual", "/api/v1/slides/visual"])
async def test_what_is_not_as_the_origin_says_is_not_stored_ed23(
    place: Place, page: dict[str, bytes], path: str, change: Change
) -> None:
    publish(place)
    inner, plain = place.switch._app, {"accept-encoding": "identity"}
    expected = await place.clinic.client().get(path)
    place.switch._app = changing(inner, change)
    await place.client().get(path, headers=plain)
    place.switch._app = inner
    again = await place.client().get(path, headers=plain)
    assert (again.status_code, again.content) == (200, expected.content)
    assert "cache-status" not in again.headers  # fetched anew
    assert "set-cookie" not in again.headers
    third = await place.client().get(path, headers=plain)
    assert third.content == expected.content
    assert third.headers["cache-status"].startswith("wavescope-edge; hit")


async def test_a_stored_answer_is_shown_in_any_coding_that_a_client_accepts_ed22(
    place: Place, page: dict[str, bytes]
) -> None:
    publish(place)
    await place.client().get("/slides/visual", headers={"accept-encoding": "gzip, deflate, br, zstd"})
    await place.client().get("/api/v1/slides/visual", headers={"accept-encoding": "gzip, deflate, br, zstd"})
    assert (await place.client().get(place.version + BLOCK)).status_code == 200
    await place.stop()
    for accepted in ("gzip", "br, gzip;q=0.5", "deflate, gzip"):
        shown = await place.client().get("/slides/visual", headers={"accept-encoding": accepted})
        assert shown.content == page["index.html"]
        assert shown.headers["cache-status"].startswith("wavescope-edge; fwd=stale")
        manifest = await place.client().get("/api/v1/slides/visual", headers={"accept-encoding": "identity"})
        assert manifest.json()["id"] == "visual"
    refused = await place.client().get("/slides/visual", headers={"accept-encoding": "identity"})
    assert problem(refused) == (503, "unavailable")


async def test_a_client_gets_the_best_coding_although_another_one_is_stored_ed21(
    place: Place, page: dict[str, bytes]
) -> None:
    for accepted, coding, asked in (("gzip", "gzip", 1), ("gzip, br", "br", 2), ("br", "br", 3), ("gzip", "gzip", 3)):
        async with place.client().stream("GET", ASSET, headers={"accept-encoding": accepted}) as answer:
            assert answer.headers["content-encoding"] == coding
            if coding == "br":
                assert b"".join([piece async for piece in answer.aiter_raw()]) == page[f"{ASSET[1:]}.br"]
            else:
                await answer.aread()
        assert place.asked_for(ASSET) == asked


@pytest.mark.slow
@pytest.mark.parametrize("filename", ["a.csv", "a.tif"])
async def test_a_tile_of_an_overlay_is_fetched_once_and_shown_to_those_who_may_see_the_slide_ed21_ed23(
    place: Place, filename: str
) -> None:
    ivan, olga = await place.signed_in("ivan"), await place.signed_in("olga")
    content = b"x,y,class\n" + b"".join(b"%d,%d,a\n" % (7 * n, 5 * n) for n in range(40))
    if filename == "a.tif":
        tifffile.imwrite(raster := io.BytesIO(), np.arange(1200, dtype=np.float32).reshape(30, 40))
        content = raster.getvalue()
    posted = await ivan.post("/api/v1/slides/visual/overlays", params={"filename": filename}, content=content)
    assert posted.status_code == 202
    overlay = (await ended(ivan, posted.json()["id"]))["id"]
    overlays = "/api/v1/slides/visual/overlays"
    (listed,) = (await ivan.get(overlays)).json()["overlays"]
    for kind in ("tiles", "vectors") if listed["shapes"] else ("tiles",):
        path = f"{overlays}/{overlay}/{kind}/0/0/0?v={listed['digest']}"
        first = await ivan.get(path)
        assert (first.status_code, "cache-status" in first.headers) == (200, False)
        assert "private" in first.headers["cache-control"]
        again = await ivan.get(path)
        assert again.content == first.content
        assert again.headers["cache-status"] == "wavescope-edge; hit; detail=revalidated"
        assert problem(await olga.get(path)) == (404, "unknown-slide")
        assert problem(await place.client().get(path)) == (404, "unknown-slide")
        publish(place)
        other = await place.client().get(path)
        assert (other.content, other.headers["cache-status"]) == (first.content, again.headers["cache-status"])
        SharingTable(place.clinic.service.catalog).share("slide", "visual", False, [])
        assert problem(await olga.get(path)) == (404, "unknown-slide")
    await place.stop()
    assert problem(await ivan.get(path)) == (503, "unavailable")


async def test_an_answer_that_any_of_its_headers_forbids_to_store_is_not_stored_ed23(tmp_path: Path) -> None:
    async def two(_: Any, writer: asyncio.StreamWriter) -> None:
        digest = digest_field(sha256(b"ok").digest())
        controls = b"Cache-Control: no-store\r\nCache-Control: public, immutable\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + controls + b"Repr-Digest: " + digest + b"\r\n\r\nok")
        await writer.drain()

    async with raw_origin(two) as origin, edge(tmp_path / "two", origin.url) as (_, app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            for _ in range(2):
                assert (await client.get("/page.js")).content == b"ok"
        assert len(origin.asked) == 2

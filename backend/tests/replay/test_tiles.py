"""Clients of servers of tiles: the addresses of DZI and IIIF, each tile once."""

from __future__ import annotations

import json

import pytest

from replay.conftest import Answer
from wavescope_lab.errors import UnexpectedResponse
from wavescope_lab.replay.exchange import Exchange
from wavescope_lab.replay.tiles import TileViewer, read_dzi, read_iiif, tiles_of
from wavescope_lab.workload.pathologist import Field

DZI = b"""<?xml version="1.0"?><Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="jpeg" Overlap="1"
TileSize="254"><Size Width="1000" Height="600"/></Image>"""


def info(version: int, **changed: object) -> bytes:
    tiles = [{"width": 256, "scaleFactors": [1, 2, 4]}]
    context = f"http://iiif.io/api/image/{version}/context.json"
    return json.dumps({"@context": context, "width": 1000, "height": 600, "tiles": tiles, **changed}).encode()


def test_levels_of_a_dzi_count_from_one_pixel() -> None:
    layout = read_dzi("http://a/b/slide.dzi", DZI)
    assert layout.url(0, 3, 2) == "http://a/b/slide_files/10/3_2.jpeg"
    assert layout.url(2, 0, 0) == "http://a/b/slide_files/8/0_0.jpeg"


@pytest.mark.parametrize(("version", "size"), [(2, "232,"), (3, "232,88")])
def test_iiif_tiles_have_the_canonical_address_of_their_version(version: int, size: str) -> None:
    layout = read_iiif("http://a/x/info.json", info(version))
    assert layout.url(0, 3, 2) == f"http://a/x/768,512,232,88/{size}/0/default.jpg"
    assert layout.url(1, 1, 0).startswith("http://a/x/512,0,488,512/244,")


def test_a_field_touches_the_tiles_it_overlaps_inside_the_slide() -> None:
    layout = read_iiif("http://a/x/info.json", info(3))
    assert tiles_of(Field(0, 255, 0, 2, 256), layout) == [(0, 0, 0), (0, 1, 0)]
    assert tiles_of(Field(0, 700, 500, 900, 900), layout) == [(0, x, y) for y in (1, 2) for x in (2, 3)]
    assert tiles_of(Field(2, 0, 0, 250, 150), layout) == [(2, 0, 0)]


@pytest.mark.parametrize("body", [b"", b"<a/>", DZI.replace(b"1000", b"x"), b"<!DOCTYPE a>" + DZI])
def test_what_is_no_dzi_is_a_named_error(body: bytes) -> None:
    with pytest.raises(UnexpectedResponse):
        read_dzi("url", body)


@pytest.mark.parametrize("body", [b"{", b"{}", info(3, tiles=[]), info(3, width=None)])
def test_what_is_no_info_is_a_named_error(body: bytes) -> None:
    with pytest.raises(UnexpectedResponse):
        read_iiif("url", body)


async def test_each_tile_is_requested_once(files) -> None:  # type: ignore[no-untyped-def]
    def answer(path: str) -> Answer:
        return (200, {"x-cache": "HIT"}, DZI if path.endswith(".dzi") else b"tile")

    async with files(answer) as server:
        client = TileViewer(f"{server.url}/slide.dzi", Exchange())
        assert await client.open() == (1000, 600)
        await client.show(Field(0, 0, 0, 600, 600))
        await client.show(Field(0, 100, 0, 900, 600))
        await client.close()
    assert len(server.requested) == 1 + 4 * 3
    assert set(server.requested.values()) == {1}
    assert client.counts.hits == client.counts.answers == 13
    assert client.counts.bytes == len(DZI) + 12 * len(b"tile")


async def test_a_client_of_iiif_requests_the_tiles_of_its_field(files) -> None:  # type: ignore[no-untyped-def]
    async with files(lambda path: (200, {}, info(3) if path.endswith("info.json") else b"tile")) as server:
        client = TileViewer(f"{server.url}/iiif/slide/info.json", Exchange())
        assert await client.open() == (1000, 600)
        await client.show(Field(1, 200, 0, 100, 100))
        await client.close()
    assert set(server.requested) == {
        "/iiif/slide/info.json",
        "/iiif/slide/0,0,512,512/256,256/0/default.jpg",
        "/iiif/slide/512,0,488,512/244,256/0/default.jpg",
    }

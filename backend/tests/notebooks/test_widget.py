"""The widget without a page: what it answers to the viewer, and what its traits take (shared/spec/notebook.md)."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
import pandas as pd
import pytest
import traitlets
from PIL import Image

import wavescope
from notebooks.conftest import Page
from service.world import World
from wavescope.blocks.remote.frames import LAST
from wavescope.client import open_slide
from wavescope.errors import InvalidParameter
from wavescope.notebook import exchange
from wavescope.notebook.widget import SlideWidget

POINT = {"kind": "point", "geometry": {"type": "Point", "coordinates": [10, 20]}}


@pytest.fixture(params=["store", "service"])
def place(request: pytest.FixtureRequest, world: World, service: str) -> str:
    return f"{world.store}/lossless" if request.param == "store" else f"{service}/api/v1/slides/lossless"


def test_nb1_the_notebook_is_light() -> None:
    code = (
        "import sys, wavescope.notebook;"
        "print([n for n in ('fastapi', 'sqlalchemy', 'tifffile', 'zarr', 'pandas', 'dask') if n in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
    with pytest.raises(AttributeError):
        _ = wavescope.nothing


def test_nb3_blocks_pages_and_tiles_are_those_of_the_service(place: str, service: str) -> None:
    page = Page(wavescope.show(place))
    manifest = page.json("GET", "/api/v1/slides/lossless")
    url = manifest["url"]
    for path in ("layer-index/0/0/0/0", "approximation/0/0?from=0&to=1", "blocks/0/0/0/1/1?from=0&to=1"):
        assert page.ask("GET", f"{url}/{path}") == (200, urlopen(f"{service}{url}/{path}").read()), path
    tile = page.ask("GET", f"{url}/tiles/0/1/0/0.png?layers=1")[1]
    served = urlopen(f"{service}{url}/tiles/0/1/0/0.png?layers=1").read()
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(tile))), np.asarray(Image.open(io.BytesIO(served))))
    entries = {"blocks": [[0, 0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0, manifest["layers"]]]}
    status, frames = page.ask("POST", f"{url}/blocks:batch", json.dumps(entries).encode())
    assert status == 200
    assert frames.endswith(LAST)
    assert page.json("GET", f"{url}/colour")["state"] in ("none", "same", "table", "unusable")


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("GET", "/api/v1/slides", b"", (404, "unknown-slide")),
        ("GET", "/api/v1/slides/planes", b"", (404, "unknown-slide")),
        ("GET", "/api/v1/slides/lossless/label", b"", (404, "unknown-slide")),
        ("GET", "/api/v1/slides/lossless/annotations/../../planes", b"", (404, "unknown-slide")),
        ("GET", "URL/layer-index/0/0/0/99", b"", (404, "out-of-range")),
        ("GET", "URL/layer-index/0/0/0", b"", (400, "invalid-parameter")),
        ("GET", "URL/blocks/0/0/0/1/1?from=x", b"", (400, "invalid-parameter")),
        ("GET", "/api/v1/slides/lossless/v/" + "0" * 32 + "/colour", b"", (410, "stale-version")),
        ("POST", "URL/blocks:batch", b"no", (400, "invalid-parameter")),
        ("POST", "URL/blocks:batch", b'{"blocks": [[0, 0, 0, 0, 0, 0, true]]}', (400, "invalid-parameter")),
        ("POST", "URL/blocks:batch", json.dumps({"blocks": [[0] * 7] * 4097}).encode(), (413, "too-large")),
        ("GET", "URL/colour/table.png", b"", (404, "no-profile")),
    ],
)
def test_nb3_anything_else_is_refused(
    world: World, method: str, path: str, body: bytes, expected: tuple[int, str]
) -> None:
    url = f"/api/v1/slides/lossless/v/{world.digests['lossless']}"
    page = Page(wavescope.show(f"{world.store}/lossless"))
    assert page.problem(method, path.replace("URL", url), body) == expected


def test_nb3_a_message_that_is_no_request_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    widget = wavescope.show(f"{world.store}/lossless")
    said: list[dict[str, Any]] = []
    widget.send = lambda content, buffers=None: said.append(content)
    messages: list[Any] = [None, [], {"id": 1}, {"method": "GET", "path": "slides"}, {"method": 1, "path": "/"}]
    for message in messages:
        widget._receive(widget, message, [])
    monkeypatch.setattr(exchange, "MAX_BODY", 10)
    widget._receive(widget, {"id": 1, "method": "PUT", "path": "/selection"}, [b"x" * 11])
    assert [one["status"] for one in said] == [500, 500, 400, 400, 400, 413]


def test_nb3_a_damaged_block_says_so(world: World, tmp_path: Path) -> None:
    copy = world.copy(tmp_path / "store")
    shard = copy.shards("lossless", 0)[0]
    damaged = bytearray(shard.read_bytes())
    damaged[40:2000] = bytes(1960)
    shard.write_bytes(damaged)
    page = Page(wavescope.show(f"{copy.store}/lossless"))
    url = f"/api/v1/slides/lossless/v/{copy.digests['lossless']}"
    assert page.problem("GET", f"{url}/blocks/0/0/0/0/0?from=0&to=1") == (500, "corrupt-block")


def test_nb2_the_state_of_a_widget_is_small_and_has_no_token(service: str) -> None:
    widget = wavescope.show(f"{service}/api/v1/slides/lossless", token="wst_secret")
    state = widget.get_state()
    assert b"wst_secret" not in repr(state).encode()
    assert widget._source["direct"] is None
    assert sum(len(value) for value in state.values() if isinstance(value, str | bytes)) < 200_000
    assert wavescope.show(f"{service}/api/v1/slides/lossless")._source["direct"] == service
    assert Page(widget).ask("GET", "/viewer.js") == (200, b"export default 'viewer';")


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_nb3_an_exported_slide_is_read_by_ranges_of_its_own_files(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(out, "JPEG")
    files = {"export.json": b"{}", "thumbnail.jpg": out.getvalue(), "layer-index": bytes(range(100))}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (tmp_path / "secret").write_text("not for the page")
    with zipfile.ZipFile(tmp_path / "slide.wsz", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    place = folder if kind == "folder" else tmp_path / "slide.wsz"
    widget = wavescope.show(place)
    page = Page(widget)
    path = widget._source["files"] + ("layer-index" if kind == "folder" else "")
    whole = (folder / "layer-index" if kind == "folder" else place).read_bytes()
    assert page.ask("GET", path, headers={"Range": "bytes=10-19"}) == (206, whole[10:20])
    assert page.ask("GET", path) == (200, whole)
    assert page.ask("GET", path, headers={"Range": "bytes=999999-9999999"})[0] == 404
    assert page.ask("POST", path)[0] == 400
    for other in ("/folder/../secret", "/folder/%2e%2e/secret", "/folder/", "/file/x", "/secret"):
        assert page.ask("GET", other)[0] == 404, other
    assert widget.picture().size == (40, 30)
    with pytest.raises(InvalidParameter):
        widget.add_annotation(POINT)


def test_nb4_traits_take_what_makes_sense(world: World) -> None:
    widget = wavescope.show(f"{world.store}/lossless", view={"scale": 0.5}, height=300)
    for view in ({"zoom": 1}, {"scale": "2"}, {"l0_x": float("nan")}):
        with pytest.raises(traitlets.TraitError):
            widget.view = view
    widget.view = {"l0_x": 300.0, "l0_y": 200.0, "scale": 0.5, "flip": True}
    assert widget.picture(200).size[0] <= 200
    with pytest.raises(traitlets.TraitError):
        widget.tool = "knife"
    with pytest.raises(traitlets.TraitError):
        widget.select([0])


def test_nb4_annotations_of_a_store_live_in_the_widget(world: World) -> None:
    widget = wavescope.show(f"{world.store}/lossless")
    page, path = Page(widget), "/api/v1/slides/lossless/annotations"
    seen: list[int] = []
    widget.observe(lambda change: seen.append(len(change["new"])), "annotations")
    own = widget.add_annotation({**POINT, "name": "here"})
    with pytest.raises(InvalidParameter):
        widget.add_annotation(POINT, own)
    listed = page.json("GET", path)
    assert [one["content"]["name"] for one in listed["annotations"]] == ["here"]
    drawn = {"id": "drawn", "revision": 0, "content": POINT}
    outcomes = page.json("POST", f"{path}:batch", {"changes": [drawn, {**drawn, "revision": 4}]})["outcomes"]
    assert [one["status"] for one in outcomes] == ["saved", "conflict"]
    assert [one["id"] for one in widget.annotations] == [own, "drawn"]
    page.json("POST", f"{path}:batch", {"changes": [{"id": own, "revision": 1, "content": None}]})
    assert [one["id"] for one in widget.annotations] == ["drawn"]
    later = page.json("GET", f"{path}?since={listed['sequence']}")["annotations"]
    assert {one["id"]: one["deleted"] for one in later} == {"drawn": False, own: True}
    assert seen == [1, 2, 1]
    for body in (b"[]", b'{"changes": [{"id": "", "revision": 0, "content": null}]}', b'{"changes": 3}'):
        assert page.problem("POST", f"{path}:batch", body) == (400, "invalid-parameter")
    too_many = json.dumps({"changes": [drawn] * 501}).encode()
    assert page.problem("POST", f"{path}:batch", too_many) == (413, "too-large")


def test_nb4_annotations_of_a_service_are_stored_there(service: str) -> None:
    slide = open_slide(f"{service}/api/v1/slides/lossless")
    widget = wavescope.show(slide)
    page = Page(widget)
    own = widget.add_annotation({**POINT, "name": "there"})
    assert slide.annotations.get(own).content["name"] == "there"
    page.json("GET", "/api/v1/slides/lossless/annotations")
    assert own in [one["id"] for one in widget.annotations]
    change = {"id": own, "revision": 1, "content": None}
    page.json("POST", "/api/v1/slides/lossless/annotations:batch", {"changes": [change]})
    assert own not in [one["id"] for one in widget.annotations]


async def test_nb4_what_observes_a_trait_may_call_the_client(world: World) -> None:
    widget = wavescope.show(f"{world.store}/lossless")
    read = asyncio.Event()

    def observe(_: Any) -> None:
        assert widget.slide is not None
        widget.slide.read_array(0, 0, 0, 8, 8)
        read.set()

    widget.observe(observe, "annotations")
    widget.send = lambda content, buffers=None: None
    body = json.dumps({"changes": [{"id": "a", "revision": 0, "content": POINT}]}).encode()
    message = {"id": 1, "method": "POST", "path": "/api/v1/slides/lossless/annotations:batch"}
    widget._receive(widget, message, [body])
    await asyncio.wait_for(read.wait(), 30)


def test_nb5_points_and_their_selection_go_both_ways(world: World) -> None:
    widget = wavescope.show(f"{world.store}/lossless")
    page = Page(widget)
    assert page.ask("GET", "/points") == (204, b"")
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0], "kind": ["b", "a", None]})
    widget.show_points(frame, colour="kind")
    status, body = page.ask("GET", "/points")
    assert status == 200
    assert np.frombuffer(body[:24], np.float32).tolist() == [1, 4, 2, 5, 3, 6]
    assert list(body[24:]) == [1, 0, 255]
    assert page.ask("PUT", "/selection", np.array([2, 0], np.uint32).tobytes())[0] == 204
    assert widget.selection.tolist() == [2, 0]
    widget.select(frame["x"] > 1)
    assert np.frombuffer(page.ask("GET", "/selection")[1], np.uint32).tolist() == [1, 2]
    assert page.ask("PUT", "/selection", np.array([3], np.uint32).tobytes())[0] == 500
    with pytest.raises(traitlets.TraitError):
        widget.select([-1])


def test_nb6_what_shows_no_widgets_shows_a_picture(world: World) -> None:
    bundle = wavescope.show(f"{world.store}/lossless")._repr_mimebundle_()
    picture = Image.open(io.BytesIO(base64.b64decode(bundle[0]["image/png"])))
    assert max(picture.size) == 576
    assert "application/vnd.jupyter.widget-view+json" in bundle[0]
    assert isinstance(wavescope.show(f"{world.store}/planes"), SlideWidget)

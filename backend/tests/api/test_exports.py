"""The routes of exports."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image
from tifffile import imread

from api.asking import API, problem
from service.world import World
from wavescope.service.exports import exports as exports_module


@pytest.fixture(autouse=True)
def quick_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports_module, "REPORT_SECONDS", 0.0)


PLACE: dict[str, Any] = {"x": 256, "y": 128, "width": 600, "height": 500, "format": "tiff"}


async def test_a_region_is_estimated_exported_and_fetched_wi44_to_wi47(client: httpx.AsyncClient, world: World) -> None:
    version = f"{API}/slides/lossless/v/{world.digests['lossless']}"
    estimate = (await client.get(f"{version}/export-estimate", params=PLACE)).json()
    assert estimate["bytes"] > 100_000
    assert estimate["pictures"] == 2
    started = await client.post(f"{version}/exports", params=PLACE)
    export = started.json()
    assert (started.status_code, started.headers["location"]) == (202, f"{API}/exports/{export['id']}")
    events = await client.get(f"{API}/exports/{export['id']}/events")
    assert '"state":"done"' in events.text.strip().splitlines()[-1]
    answer = await client.get(f"{API}/exports/{export['id']}/file")
    assert answer.headers["content-type"] == "image/tiff"
    assert "lossless_256-128_600x500_level0.tif" in answer.headers["content-disposition"]
    assert np.array_equal(imread(BytesIO(answer.content), key=0), world.picture[128:628, 256:856])
    assert (await client.delete(f"{API}/exports/{export['id']}")).json()["state"] == "done"
    assert problem(await client.get(f"{API}/exports/{export['id']}")) == (404, "unknown-export")


async def test_a_whole_slide_is_exported_as_one_file_wi143(client: httpx.AsyncClient, world: World) -> None:
    started = await client.post(f"{API}/slides/lossless/v/{world.digests['lossless']}/archive")
    assert started.status_code == 202
    export = started.json()
    events = await client.get(f"{API}/exports/{export['id']}/events")
    assert '"state":"done"' in events.text.strip().splitlines()[-1]
    answer = await client.get(f"{API}/exports/{export['id']}/file")
    assert answer.headers["content-type"] == "application/zip"
    assert "lossless.wsz" in answer.headers["content-disposition"]
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        names = archive.namelist()
        document = json.loads(archive.read("export.json"))
        assert archive.testzip() is None
    assert names[0] == "export.json"
    assert {"thumbnail.jpg", "manifest.json"} <= set(names)
    assert (document["format"], document["slide"]["id"]) == ("wavescope-export", "lossless")


async def test_the_file_has_the_annotations_on_request_without_their_authors_wi143(
    client: httpx.AsyncClient, world: World
) -> None:
    slide = f"{API}/slides/lossless"
    point = {"kind": "point", "geometry": {"type": "Point", "coordinates": [3, 4]}, "name": "Mitosis"}
    changes = [{"id": "one", "revision": 0, "content": point}, {"id": "two", "revision": 0, "content": point}]
    await client.post(f"{slide}/annotations:batch", json={"changes": changes})
    gone = [{"id": "two", "revision": 1, "content": None}]
    await client.post(f"{slide}/annotations:batch", json={"changes": gone})
    files = {}
    for wanted in (True, False):
        url = f"{slide}/v/{world.digests['lossless']}/archive"
        export = (await client.post(url, params={"annotations": wanted})).json()
        assert '"state":"done"' in (await client.get(f"{API}/exports/{export['id']}/events")).text
        with zipfile.ZipFile(BytesIO((await client.get(f"{API}/exports/{export['id']}/file")).content)) as archive:
            files[wanted] = {name: archive.read(name) for name in archive.namelist() if name.endswith(".json")}
    assert json.loads(files[True]["export.json"])["annotations"] is True
    assert json.loads(files[False]["export.json"])["annotations"] is False
    assert "annotations.json" not in files[False]
    written = json.loads(files[True]["annotations.json"])
    assert [(one["id"], one["content"]["name"], one["author"]) for one in written["annotations"]] == [
        ("one", "Mitosis", "")
    ]
    assert (written["total"], written["more"], written["editable"]) == (1, False, False)


async def test_what_cannot_be_exported_is_refused_wi44(client: httpx.AsyncClient, world: World) -> None:
    version = f"{API}/slides/lossless/v/{world.digests['lossless']}"
    for change, expected in (
        ({"width": 2000}, (400, "out-of-range")),
        ({"format": "gif"}, (422, "invalid-parameter")),
        ({"layers": 9}, (400, "out-of-range")),
        ({"x": "1.5"}, (422, "invalid-parameter")),
    ):
        assert problem(await client.post(f"{version}/exports", params=PLACE | change)) == expected
    assert problem(await client.get(f"{API}/exports/nobody/file")) == (404, "unknown-export")


async def test_a_picture_is_exported_with_scale_bar_and_annotations_wi145(
    client: httpx.AsyncClient, world: World
) -> None:
    version = f"{API}/slides/lossless/v/{world.digests['lossless']}"
    asked = PLACE | {"format": "png", "scale_bar": "true", "annotations": "true"}
    assert (await client.get(f"{version}/export-estimate", params=asked)).status_code == 200
    export = (await client.post(f"{version}/exports", params=asked)).json()
    assert '"state":"done"' in (await client.get(f"{API}/exports/{export['id']}/events")).text
    content = (await client.get(f"{API}/exports/{export['id']}/file")).content
    assert Image.open(BytesIO(content)).size == (600, 544)
    named = PLACE | {"format": "png", "name": "true", "magnification": "20×"}
    export = (await client.post(f"{version}/exports", params=named)).json()
    assert '"state":"done"' in (await client.get(f"{API}/exports/{export['id']}/events")).text
    content = (await client.get(f"{API}/exports/{export['id']}/file")).content
    assert Image.open(BytesIO(content)).size == (600, 544)
    for drawing in (asked, PLACE | {"name": "true"}, PLACE | {"magnification": "20×"}):
        refused = await client.post(f"{version}/exports", params=drawing | {"format": "tiff"})
        assert problem(refused) == (422, "invalid-parameter")
    long = await client.post(f"{version}/exports", params=named | {"magnification": "2" * 41})
    assert problem(long) == (422, "invalid-parameter")

"""Scales entered for slides whose files state none (WI80, WI81)."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import tifffile

from api.accounts import Clinic, clinic
from api.asking import API, problem, running_client
from api.test_audit_trail import entries
from service.world import World
from wavescope.catalog.catalog import Catalog

S = f"{API}/slides/visual"
LINE = {"x0": 100, "y0": 100, "x1": 400, "y1": 500, "length_um": 1000}  # 500 pixels


@pytest.fixture
async def at(world: World, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with running_client(world.copy(tmp_path / "store").store) as opened:
        yield opened


async def objectives(client: httpx.AsyncClient) -> dict[str, int]:
    facets = (await client.get(f"{API}/facets")).json()["facets"]
    return {one["value"]: one["count"] for facet in facets if facet["name"] == "objective" for one in facet["values"]}


async def entered(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.put(f"{S}/calibration", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_scale_is_entered_by_value_reported_with_its_origin_and_removed_wi80(at: httpx.AsyncClient) -> None:
    before = await at.get(S)
    assert (before.json()["mpp"], before.json()["scale"]) == (None, None)
    body = await entered(at, um_per_pixel=0.5)
    assert (body["mpp"], body["scale"]["origin"], body["scale"]["line"]) == ({"x": 0.5, "y": 0.5}, "entered", None)
    assert body["scale"]["by"]
    assert body["scale"]["at"]
    after = await at.get(S, headers={"if-none-match": before.headers["etag"]})
    assert (after.status_code, after.json()) == (200, body)
    listed = (await at.get(f"{API}/slides")).json()["slides"]
    assert [one["mpp"] for one in listed if one["id"] == "visual"] == [{"x": 0.5, "y": 0.5}]
    removed = await at.delete(f"{S}/calibration")
    assert (removed.status_code, removed.json()["mpp"], removed.json()["scale"]) == (200, None, None)


async def test_a_line_of_known_length_gives_the_scale_and_is_stored_wi80(at: httpx.AsyncClient) -> None:
    body = await entered(at, line=LINE)
    assert body["mpp"] == {"x": 2.0, "y": 2.0}
    assert body["scale"]["line"] == LINE


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"um_per_pixel": 0.5, "line": LINE},
        {"um_per_pixel": 0},
        {"um_per_pixel": -1},
        {"um_per_pixel": 1e9},
        {"line": LINE | {"x1": 100, "y1": 100}},
        {"line": LINE | {"x1": 1301}},
        {"line": LINE | {"y0": -1}},
        {"line": LINE | {"length_um": 0}},
        {"line": LINE | {"length_um": 1e300}},
        {"um_per_pixel": "wide"},
    ],
)
async def test_what_is_no_scale_is_refused_wi80(at: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert problem(await at.put(f"{S}/calibration", json=body)) == (422, "invalid-parameter")
    assert (await at.get(S)).json()["mpp"] is None


@pytest.mark.parametrize("number", ["NaN", "Infinity"])
async def test_numbers_that_are_none_are_refused_wi80(at: httpx.AsyncClient, number: str) -> None:
    headers = {"content-type": "application/json"}
    for body in (
        f'{{"um_per_pixel": {number}}}',
        f'{{"line": {{"x0":0,"y0":{number},"x1":50,"y1":50,"length_um":1}}}}',
    ):
        answer = await at.put(f"{S}/calibration", content=body, headers=headers)
        assert problem(answer) == (422, "invalid-parameter")


async def test_the_word_of_the_file_is_not_replaced_wi80(at: httpx.AsyncClient) -> None:
    slide = f"{API}/slides/planes"
    before = (await at.get(slide)).json()
    assert (before["mpp"], before["scale"]["origin"]) == ({"x": 0.25, "y": 0.25}, "file")
    assert problem(await at.put(f"{slide}/calibration", json={"um_per_pixel": 1})) == (409, "scale-stated")
    assert (await at.get(slide)).json() == before


async def test_measurements_and_exported_files_follow_the_entered_scale_wi80(at: httpx.AsyncClient) -> None:
    content = {"kind": "line", "geometry": {"type": "LineString", "coordinates": [[0, 0], [30, 40]]}}
    change = {"changes": [{"id": "a", "revision": 0, "content": content}]}
    assert (await at.post(f"{S}/annotations:batch", json=change)).status_code == 200
    await entered(at, um_per_pixel=0.5)
    table = (await at.get(f"{S}/annotations", params={"format": "csv"})).text.lstrip("\ufeff")
    (row,) = csv.DictReader(io.StringIO(table))
    assert float(row["length_um"]) == 25
    url = (await at.get(S)).json()["url"]
    region: dict[str, str | int] = {"x": 0, "y": 0, "width": 64, "height": 64, "format": "tiff"}
    export = (await at.post(f"{url}/exports", params=region)).json()["id"]
    assert "done" in (await at.get(f"{API}/exports/{export}/events")).text
    file = (await at.get(f"{API}/exports/{export}/file")).content
    with tifffile.TiffFile(io.BytesIO(file)) as tiff:
        across, unit = [tiff.pages.first.tags[name].value for name in ("XResolution", "ResolutionUnit")]
    assert (across[0] / across[1], int(unit)) == (20000, 3)  # pixels per centimetre


async def test_slides_are_found_by_what_their_pixels_are_equivalent_to_wi81(at: httpx.AsyncClient) -> None:
    assert await objectives(at) == {"40x": 1, "no scale": 2}
    await entered(at, um_per_pixel=1.3)
    assert await objectives(at) == {"40x": 1, "no scale": 1, "10x equivalent": 1}
    await entered(at, um_per_pixel=0.2527)
    assert await objectives(at) == {"40x": 1, "no scale": 1, "40x equivalent": 1}
    found = (await at.get(f"{API}/slides", params={"label": "objective:40x equivalent"})).json()["slides"]
    assert [slide["id"] for slide in found] == ["visual"]


async def test_an_entered_scale_holds_for_later_versions_of_the_same_size_alone_wi80(
    world: World, tmp_path: Path
) -> None:
    copy = world.copy(tmp_path / "store")
    async with running_client(copy.store) as client:
        await entered(client, um_per_pixel=0.5)
    catalog = Catalog.open(copy.store)
    try:
        stored = catalog.get("visual")
        other = catalog.publish("visual", "", copy.digests["lossless"], catalog.get("lossless").manifest)
        assert other.mpp == {"x": 0.5, "y": 0.5}
        assert catalog.publish("visual", "", stored.digest, {**stored.manifest, "width": 7}).mpp is None
    finally:
        catalog.close()


async def test_only_who_may_edit_a_slide_calibrates_it_and_the_log_says_who_wi80(world: World, tmp_path: Path) -> None:
    async with clinic(world.copy(tmp_path / "store").without_log().store) as there:
        there.own("visual", "ivan")
        owner = await there.signed_in("ivan")
        sharing = {"public": True, "shares": []}
        assert (await owner.put(f"{S}/sharing", json=sharing)).is_success
        await _refused(there, "vera")
        body = await entered(owner, line=LINE)
        assert body["scale"]["by"] == "Ivan"
        assert (await owner.delete(f"{S}/calibration")).is_success
        recorded = [one.entry for one in await entries(there)]
        found = [(one.name, one.action, one.slide_id, dict(one.detail)) for one in recorded if "calibrat" in one.action]
        assert found == [
            ("Ivan", "calibrated", "visual", {"title": "The visual one", "um_per_pixel": "2", "way": "line"}),
            ("Ivan", "calibration removed", "visual", {"title": "The visual one"}),
        ]


async def _refused(there: Clinic, name: str) -> None:
    browser = await there.signed_in(name)
    assert (await browser.get(S)).is_success
    assert problem(await browser.put(f"{S}/calibration", json={"um_per_pixel": 1})) == (403, "forbidden")
    assert problem(await browser.delete(f"{S}/calibration")) == (403, "forbidden")

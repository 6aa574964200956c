"""The overlays of slides over HTTP (OV22 to OV36)."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections import Counter
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import geopandas
import highdicom
import httpx
import numpy as np
import pytest
import tifffile

from api.accounts import clinic
from api.asking import API, problem
from api.processes import free_port, process
from api.test_audit_trail import entries
from api.test_resumable import BYTES as CHUNK
from api.test_resumable import TUS, metadata
from overlays.make_vectors import VECTORS
from overlays.rasters import heat
from overlays.shapes import cells as many_cells
from overlays.shapes import mixed
from service.world import HEIGHT, WIDTH, World, running_service
from wavescope.api.app import build_app
from wavescope.overlays.raster import decoded_raster, raster_of
from wavescope.overlays.region import Region
from wavescope.overlays.selection import touching
from wavescope.overlays.shapes import QUARTERS, Shapes
from wavescope.overlays.tile import Place, decoded
from wavescope.service.composition import Services
from wavescope.service.protocols.dicom.uids import UidKind, read_uid, uid_of

OVERLAYS = f"{API}/slides/visual/overlays"
MOMENTS = 3
"""At which a service is killed."""
NAMES = ("Tumour", "Immune", "Stroma", "Other")


def document(shapes: Shapes) -> dict[str, Any]:
    """GeoJSON as QuPath writes it, with a score."""
    features, ring_starts = [], [0, *shapes.ring_ends.tolist()]
    shape_starts = [0, *shapes.shape_ends.tolist()]
    for n, (first, last) in enumerate(pairwise(shape_starts)):
        rings = [
            (shapes.corners[begin:end] / QUARTERS).tolist()
            for begin, end in zip(ring_starts[first:last], ring_starts[first + 1 : last + 1], strict=True)
        ]
        if len(rings[0]) == 1:
            geometry: dict[str, Any] = {"type": "Point", "coordinates": rings[0][0]}
        elif len(rings[0]) == 2:
            geometry = {"type": "LineString", "coordinates": rings[0]}
        else:
            geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]] for ring in rings]}
        number = int(shapes.classes[n])
        properties = {
            "objectType": "detection",
            "classification": {"name": NAMES[number], "color": [number, 0, 255]},
            "measurements": {"Probability": int(shapes.scores[n]) / 255},
        }
        features.append({"type": "Feature", "geometry": geometry, "properties": properties})
    return {"type": "FeatureCollection", "features": features}


@pytest.fixture(scope="module")
def cells() -> tuple[Shapes, bytes]:
    shapes = mixed(3, 1000)
    return shapes, json.dumps(document(shapes)).encode()


@pytest.fixture
async def service(world: World, tmp_path: Path) -> AsyncIterator[Services]:
    async with running_service(world.copy(tmp_path / "store").without_log().store) as running:
        yield running


@pytest.fixture
async def client(service: Services) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as opened:
        yield opened


async def ended(client: httpx.AsyncClient, job: str) -> dict[str, Any]:
    """The job as it is when it has ended."""
    last: dict[str, Any] = {}
    async with client.stream("GET", f"{API}/jobs/{job}/events") as events:
        async for line in events.aiter_lines():
            if line.startswith("data:"):
                last = json.loads(line.removeprefix("data:"))
    return last


async def added(client: httpx.AsyncClient, content: bytes, **query: str) -> str:
    """The id of the overlay."""
    answer = await client.post(OVERLAYS, params={"filename": "cells.geojson"} | query, content=content)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"{API}/jobs/{answer.json()['id']}"
    job = await ended(client, answer.json()["id"])
    assert (job["state"], job["slide_id"], job["overlay_of"]) == ("done", "visual", "visual"), job
    return str(job["id"])


@pytest.mark.slow
async def test_a_file_becomes_an_overlay_whose_tiles_are_read_ov25_ov28_ov29(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes]
) -> None:
    shapes, content = cells
    overlay = await added(client, content, name="Nuclei", score="Probability")
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert (listed["id"], listed["name"], listed["shapes"]) == (overlay, "Nuclei", len(shapes))
    assert (listed["width"], listed["height"], listed["top"]) == (WIDTH, HEIGHT, 2)
    assert listed["score"] == {"name": "Probability", "least": 0, "most": 1}
    assert listed["transform"] == [1, 0, 0, 0, 1, 0]
    counts = {one["name"]: one["count"] for one in listed["classes"]}
    assert counts == {name: int((shapes.classes == n).sum()) for n, name in enumerate(NAMES)}
    assert {one["name"]: one["color"] for one in listed["classes"]}["Immune"] == "0100FF"
    found = 0
    for level in range(3):
        for x in range(3 >> level or 1):
            for y in range(3 >> level or 1):
                answer = await client.get(f"{OVERLAYS}/{overlay}/tiles/{level}/{x}/{y}?v={listed['digest']}")
                if answer.status_code == 204:
                    assert answer.content == b""
                    continue
                assert answer.headers["content-type"] == "application/octet-stream"
                assert "content-encoding" not in answer.headers
                assert "immutable" in answer.headers["cache-control"]
                assert gzip.decompress(answer.content)
                found += len(decoded(answer.content, Place(level, x, y, True)).shapes)
                again = await client.get(str(answer.url), headers={"if-none-match": answer.headers["etag"]})
                assert (again.status_code, again.content) == (304, b"")
    assert found == len(shapes)
    assert (await client.get(f"{OVERLAYS}/{overlay}/tiles/0/2/2")).status_code == 204
    assert problem(await client.get(f"{OVERLAYS}/nothing/tiles/0/0/0")) == (404, "unknown-overlay")
    assert problem(await client.get(f"{API}/slides/lossless/overlays/{overlay}/tiles/0/0/0")) == (
        404,
        "unknown-overlay",
    )


@pytest.mark.slow
async def test_overlays_are_renamed_moved_deleted_and_restored_ov30_ov31(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes]
) -> None:
    one, two = await added(client, cells[1], name="one"), await added(client, cells[1], name="two")

    async def names() -> list[str]:
        return [overlay["name"] for overlay in (await client.get(OVERLAYS)).json()["overlays"]]

    assert await names() == ["one", "two"]
    assert (await client.patch(f"{OVERLAYS}/{two}", json={"position": 0, "name": " zwei "})).json()["name"] == "zwei"
    assert await names() == ["zwei", "one"]
    assert problem(await client.patch(f"{OVERLAYS}/{two}", json={"name": "a\nb"})) == (422, "invalid-parameter")
    assert (await client.delete(f"{OVERLAYS}/{two}")).status_code == 204
    assert await names() == ["one"]
    assert problem(await client.get(f"{OVERLAYS}/{two}/tiles/2/0/0")) == (404, "unknown-overlay")
    assert problem(await client.delete(f"{OVERLAYS}/{two}")) == (404, "unknown-overlay")
    assert (await client.post(f"{OVERLAYS}/{two}/restore")).json()["name"] == "zwei"
    assert await names() == ["zwei", "one"]
    assert (await client.get(f"{OVERLAYS}/{two}/tiles/2/0/0")).status_code == 200
    assert one != two


@pytest.mark.slow
async def test_shapes_come_out_as_they_went_in_ov33(client: httpx.AsyncClient, cells: tuple[Shapes, bytes]) -> None:
    shapes, content = cells
    overlay = await added(client, content, score="Probability")
    url = f"{OVERLAYS}/{overlay}/shapes"
    whole = await client.get(url)
    assert whole.headers["content-type"] == "application/geo+json"
    assert whole.headers["content-disposition"] == 'attachment; filename="cells.geojson"'
    again = await added(client, whole.content, score="Probability")
    both = {one["id"]: one for one in (await client.get(OVERLAYS)).json()["overlays"]}
    assert counts_of(both[again]) == counts_of(both[overlay])
    assert sorted(outlines(whole.json())) == sorted(outlines((await client.get(f"{OVERLAYS}/{again}/shapes")).json()))
    assert sorted(outlines(whole.json())) == sorted(outlines(document(shapes)))
    region = "100.5,80,300,250"
    part = (await client.get(f"{url}?region={region}")).json()
    least, most = shapes.boxes
    touching = ((most >= np.array([402, 320])) & (least <= np.array([1602, 1320]))).all(axis=1)
    assert len(part["features"]) == np.count_nonzero(touching)
    table = (await client.get(f"{url}?region={region}&format=csv")).text.splitlines()
    assert table[0] == "x,y,width,height,area,class,Probability"
    assert len(table) == 1 + np.count_nonzero(touching)
    assert problem(await client.get(f"{url}?region=1,2,3")) == (422, "invalid-parameter")


@pytest.mark.slow
async def test_shapes_come_out_as_files_of_other_software_ov33(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes], tmp_path: Path
) -> None:
    shapes, content = cells
    overlay = await added(client, content, score="Probability")
    url = f"{OVERLAYS}/{overlay}/shapes"
    answer = await client.get(f"{url}?format=parquet")
    assert answer.headers["content-type"] == "application/vnd.apache.parquet"
    assert answer.headers["content-disposition"] == 'attachment; filename="cells.parquet"'
    table = geopandas.read_parquet(io.BytesIO(answer.content))
    assert Counter(table["class"]) == Counter(NAMES[n] for n in shapes.classes.tolist())
    answer = await client.get(f"{url}?format=dicom&region=0,0,500,500")
    assert answer.headers["content-type"] == "application/dicom"
    assert answer.headers["content-disposition"] == 'attachment; filename="cells.dcm"'
    file = highdicom.ann.annread(io.BytesIO(answer.content))
    (instance,) = file.ReferencedImageSequence
    found = read_uid(instance.ReferencedSOPInstanceUID)
    assert found is not None
    assert (found.kind, found.number) == (UidKind.INSTANCE, 0)
    assert file.StudyInstanceUID == uid_of(found.prefix, UidKind.STUDY)
    again = await client.post(OVERLAYS, params={"filename": "a.dcm", "score": "Probability"}, content=answer.content)
    assert (await ended(client, again.json()["id"]))["state"] == "done"


@pytest.mark.slow
async def test_tiles_come_as_vector_tiles_ov39(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes], tmp_path: Path
) -> None:
    shapes, content = cells
    overlay = await added(client, content)
    url = f"{OVERLAYS}/{overlay}/vectors"
    answer = await client.get(f"{url}/2/0/0")
    assert answer.headers["content-type"] == "application/vnd.mapbox-vector-tile"
    assert "immutable" in answer.headers["cache-control"]
    again = await client.get(f"{url}/2/0/0", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    (tmp_path / "0.mvt").write_bytes(answer.content)
    found = geopandas.read_file(tmp_path / "0.mvt", layer="shapes")
    inside = touching(shapes, Region(0, 0, 512, 512))
    assert Counter(found["class"]) == Counter(NAMES[n] for n in inside.classes.tolist())
    assert (await client.get(f"{url}/0/0/0")).status_code == 200
    assert (await client.get(f"{url}/3/0/0")).status_code == 204
    assert problem(await client.get(f"{url}/x/0/0"))[0] in (404, 422)
    assert problem(await client.get(f"{OVERLAYS}/nothing/vectors/0/0/0")) == (404, "unknown-overlay")


def counts_of(overlay: dict[str, Any]) -> dict[str, int]:
    return {one["name"]: one["count"] for one in overlay["classes"]}


def outlines(collection: dict[str, Any], score: str | None = "Probability") -> list[str]:
    """Each feature's class, score and rings, whichever ring comes first."""
    found = []
    for feature in collection["features"]:
        kind, coordinates = feature["geometry"]["type"], feature["geometry"]["coordinates"]
        rings = {"Point": [[coordinates]], "LineString": [coordinates]}.get(kind, coordinates)
        if kind == "MultiPolygon":
            rings = [ring for polygon in coordinates for ring in polygon]
        properties = feature["properties"]
        value = 0 if score is None else round(255 * properties["measurements"][score])
        found.append(json.dumps([properties["classification"], value, sorted(map(str, rings))]))
    return found


@pytest.mark.slow
async def test_a_resumable_upload_that_names_a_slide_becomes_an_overlay_ov25(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes]
) -> None:
    content = cells[1]
    given = metadata(filename="a.geojson", overlay_of="visual", title="Cells", score="Probability", transform="0.5")
    headers = TUS | {"upload-length": str(len(content)), "upload-metadata": given}
    url = (await client.post(f"{API}/uploads/resumable", headers=headers)).headers["location"]
    for begin in (0, len(content) // 2):
        part = content[begin : begin + len(content) // 2] if begin == 0 else content[begin:]
        answer = await client.patch(url, headers=TUS | CHUNK | {"upload-offset": str(begin)}, content=part)
        assert answer.status_code == 204
    job = await ended(client, answer.headers["content-location"].rpartition("/")[2])
    assert (job["state"], job["overlay_of"], job["error"]) == ("done", "visual", None)
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert (listed["id"], listed["name"], listed["transform"]) == (job["id"], "Cells", [0.5, 0, 0, 0, 0.5, 0])
    assert problem(await client.get(f"{API}/jobs/{job['id']}/preview")) == (404, "unknown-job")
    nowhere = f"{API}/slides/nothing/overlays?filename=a"
    assert problem(await client.post(nowhere, content=content)) == (404, "unknown-slide")


def tiff(samples: np.ndarray) -> bytes:
    file = io.BytesIO()
    tifffile.imwrite(file, samples)
    return file.getvalue()


@pytest.mark.slow
async def test_a_mask_is_uploaded_as_any_file_and_covers_the_slide_ov25_ov60(client: httpx.AsyncClient) -> None:
    mask = np.zeros((-(-HEIGHT // 4), -(-WIDTH // 4)), np.uint8)
    mask[10:20, 5:25], mask[40:50, 60:70] = 1, 2
    await added(client, tiff(mask))
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert {one["name"]: one["count"] for one in listed["classes"]} == {"1": 1, "2": 1}
    assert listed["transform"] == [4, 0, 0, 0, 4, 0]
    rows = (await client.get(f"{OVERLAYS}/{listed['id']}/shapes?format=csv")).text.splitlines()
    assert sorted(rows[1:]) == ["260.0,180.0,40.0,40.0,1600.0,2", "60.0,60.0,80.0,40.0,3200.0,1"]


SPATIAL_DATA = (VECTORS / "spatial-data.zip").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("element", "shapes"), [("shapes/cells", 30), ("points/genes", 3), ("labels/nuclei", 2)])
async def test_an_element_of_an_archive_becomes_an_overlay_ov62(
    client: httpx.AsyncClient, element: str, shapes: int
) -> None:
    answer = await client.post(f"{OVERLAYS}?filename=data.zarr.zip&element={element}&transform=1", content=SPATIAL_DATA)
    job = await ended(client, answer.json()["id"])
    assert (job["state"], job["error"]) == ("done", None)
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert listed["shapes"] == shapes


@pytest.mark.slow
@pytest.mark.parametrize(("element", "detail"), [("", "shapes/cells"), ("shapes/other", "it has no element")])
async def test_an_archive_whose_element_is_not_named_or_not_there_is_refused_ov62(
    client: httpx.AsyncClient, element: str, detail: str
) -> None:
    answer = await client.post(f"{OVERLAYS}?filename=data.zarr.zip&element={element}", content=SPATIAL_DATA)
    job = await ended(client, answer.json()["id"])
    assert job["error"]["type"] == "/problems/unsupported-source"
    assert detail in job["error"]["detail"]


@pytest.mark.parametrize("element", ["../other", "/etc", "shapes//cells", "a\\b", "."])
async def test_an_element_outside_of_the_archive_is_refused_ov62(client: httpx.AsyncClient, element: str) -> None:
    answer = await client.post(f"{OVERLAYS}?filename=a.zip", params={"element": element}, content=SPATIAL_DATA)
    assert problem(answer) == (422, "invalid-parameter")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'{"type": "FeatureCollection", "features": [', "unreadable-source"),
        (b"\0" * 50, "unsupported-source"),
        (b"x,y\n1e300,2\n", "unreadable-source"),
        (b"[" * 100_000, "unreadable-source"),
        (tiff(np.zeros((32, 32, 3), np.uint8)), "unsupported-source"),
        (tiff(np.zeros((32, 32), np.uint8))[:600], "unreadable-source"),
        (b"x,y,class\n" + b"".join(b"1,2,c%d\n" % n for n in range(257)), "too-large"),
    ],
    ids=["cut off", "unknown", "far away", "nested", "picture", "cut mask", "classes"],
)
async def test_a_hostile_file_is_refused_and_nothing_of_it_stays_ov24_ov27(
    client: httpx.AsyncClient, service: Services, content: bytes, name: str
) -> None:
    answer = await client.post(f"{OVERLAYS}?filename=a", content=content)
    job = await ended(client, answer.json()["id"])
    assert (job["state"], job["error"]["type"]) == ("failed", f"/problems/{name}")
    assert (await client.get(OVERLAYS)).json() == {"overlays": []}
    store = service.config.store
    await service.jobs.stop()  # the file of a job is removed after it has ended
    assert not (store / "overlays").exists()
    assert not (store / "uploads" / job["id"]).exists()
    assert not list((store / "ingest").glob("overlay-*"))


@pytest.mark.slow
async def test_a_service_that_is_killed_during_an_import_shows_nothing_of_it_and_imports_it_after_its_start_ov27(
    world: World, tmp_path: Path
) -> None:
    store, port = world.copy(tmp_path / "store").without_log().store, free_port()
    content = json.dumps(document(many_cells(1, 12_000, 1000.0))).encode()
    killed = 0
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        async with process(store, port, run_jobs=True):
            answer = await client.post(OVERLAYS, params={"filename": "a.geojson"}, content=content)
        job = answer.json()["id"]
        for moment in range(1, MOMENTS + 1):
            async with process(store, port, run_jobs=True) as child:
                assert (await client.get(OVERLAYS)).json() == {"overlays": []}
                if await has_ended(client, job, moment):
                    break
                child.kill()
                await child.wait()
                killed += 1
        async with process(store, port, run_jobs=True):
            assert (await ended(client, job))["state"] == "done"
            (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
            assert (listed["id"], listed["shapes"]) == (job, 12_000)
            found = (await client.get(f"{OVERLAYS}/{job}/shapes")).json()
    assert killed > 1
    assert sorted(outlines(found, None)) == sorted(outlines(json.loads(content), None))
    assert [path.parent.name for path in (store / "overlays").glob("*/content")] == [listed["digest"]]
    assert (
        hashlib.sha256((store / "overlays" / listed["digest"] / "content").read_bytes()).hexdigest()
        == (listed["digest"])
    )
    assert not list((store / "ingest").glob("overlay-*"))


async def has_ended(client: httpx.AsyncClient, job: str, changes: int) -> bool:
    """Whether a job has ended, after so many changes that it reported while it ran."""
    async with client.stream("GET", f"{API}/jobs/{job}/events") as events:
        async for line in events.aiter_lines():
            if not line.startswith("data:"):
                continue
            state = json.loads(line.removeprefix("data:"))["state"]
            changes -= state == "running"
            if state == "done" or changes <= 0:
                return bool(state == "done")
    raise AssertionError("a job without an end")


@pytest.mark.slow
async def test_what_is_left_out_is_a_notice_of_the_job_ov24(client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{OVERLAYS}?filename=a.csv", content=b"x,y\n1,2\na,b\n3,4\n")
    job = await ended(client, answer.json()["id"])
    assert job["notices"] == ["1 shapes were left out: row 2: it has no numbers in its columns"]
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert (listed["name"], listed["shapes"], listed["score"]) == ("a", 2, None)


@pytest.mark.slow
async def test_nothing_of_a_damaged_tile_is_sent_ov32(
    client: httpx.AsyncClient, service: Services, cells: tuple[Shapes, bytes]
) -> None:
    overlay = await added(client, cells[1])
    url = f"{OVERLAYS}/{overlay}/tiles/2/0/0"
    member = (await client.get(url)).content
    (path,) = (service.config.store / "overlays").glob("*/content")
    whole = bytearray(path.read_bytes())
    whole[whole.index(member) + len(member) // 2] ^= 16
    path.write_bytes(whole)
    assert problem(await client.get(url)) == (500, "corrupt-store")
    assert (await client.get(f"{OVERLAYS}/{overlay}/tiles/0/0/0")).status_code == 200
    path.unlink()
    assert problem(await client.get(url)) == (500, "corrupt-store")


@pytest.mark.slow
async def test_who_may_annotate_adds_and_who_sees_reads_ov35(
    world: World, tmp_path: Path, cells: tuple[Shapes, bytes]
) -> None:
    async with clinic(world.copy(tmp_path / "store").without_log().store) as at:
        ivan, anna, vera, olga = [await at.signed_in(name) for name in ("ivan", "anna", "vera", "olga")]
        shares = [{"kind": "user", "id": at.ids[name], "right": right} for name, right in RIGHTS.items()]
        sharing = {"public": False, "shares": shares}
        assert (await ivan.put(f"{API}/slides/visual/sharing", json=sharing)).is_success
        overlay = await added(anna, cells[1], name="of Anna")
        assert [one["id"] for one in (await anna.get(f"{API}/jobs")).json()["jobs"]] == [overlay]
        assert problem(await ivan.get(f"{API}/jobs/{overlay}")) == (404, "unknown-job")
        (listed,) = (await vera.get(OVERLAYS)).json()["overlays"]
        assert (listed["author"], listed["name"]) == ("Anna", "of Anna")
        tile = f"{OVERLAYS}/{overlay}/tiles/2/0/0"
        private = await vera.get(tile)
        assert (private.status_code, "private" in private.headers["cache-control"]) == (200, True)
        for request in (vera.post(f"{OVERLAYS}?filename=a", content=b"x"), vera.delete(f"{OVERLAYS}/{overlay}")):
            assert problem(await request) == (403, "forbidden")
        vectors = f"{OVERLAYS}/{overlay}/vectors/0/0/0"
        assert (await vera.get(vectors)).status_code == 200
        for url in (
            OVERLAYS,
            tile,
            vectors,
            f"{OVERLAYS}/{overlay}/shapes",
            f"{OVERLAYS}/{overlay}/shapes?format=dicom",
        ):
            assert problem(await olga.get(url)) == (404, "unknown-slide")
        assert (await vera.get(f"{OVERLAYS}/{overlay}/shapes?format=csv")).status_code == 200
        assert (await ivan.patch(f"{OVERLAYS}/{overlay}", json={"name": "Cells"})).is_success
        assert (await anna.delete(f"{OVERLAYS}/{overlay}")).status_code == 204
        assert (await ivan.post(f"{OVERLAYS}/{overlay}/restore")).is_success
        acts = [(one.entry.name, one.entry.action, one.entry.slide_id) for one in await entries(at)]
        assert [one for one in acts if one[2] == "visual" and one[1] not in ("shared", "opened")] == [
            ("Anna", "uploaded", "visual"),
            ("Vera", "downloaded", "visual"),
            ("Ivan", "overlay changed", "visual"),
            ("Anna", "overlay deleted", "visual"),
            ("Ivan", "overlay restored", "visual"),
        ]
        await ivan.put(f"{API}/slides/visual/sharing", json={"public": False, "shares": []})
        assert problem(await vera.get(tile)) == (404, "unknown-slide")


RIGHTS = {"anna": "annotate", "vera": "view"}


@pytest.mark.slow
async def test_a_heat_map_becomes_a_raster_that_has_tiles_pixels_and_no_shapes_ov66_ov73_ov76(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    made = heat(WIDTH // 2, HEIGHT // 2)
    tifffile.imwrite(tmp_path / "heat.tif", made)
    content = (tmp_path / "heat.tif").read_bytes()
    overlay = await added(client, content, filename="heat.tif", name="heat", score="Tumour")
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert (listed["shapes"], listed["top"]) == (0, 1)
    assert listed["score"] == {"name": "Tumour", "least": 0, "most": 1}
    assert listed["raster"] == {
        "kind": "values",
        "width": WIDTH // 2,
        "height": HEIGHT // 2,
        "last": 65535,
        "transform": [2, 0, 0, 0, 2, 0],
        "exact": False,
        "labels": [],
        "bytes": listed["raster"]["bytes"],
    }
    assert len(listed["raster"]["bytes"]) == 2
    assert 0 < sum(listed["raster"]["bytes"]) < listed["bytes"]
    raster = raster_of(listed["raster"])
    assert raster is not None
    answer = await client.get(f"{OVERLAYS}/{overlay}/tiles/0/0/0?v={listed['digest']}")
    samples = decoded_raster(answer.content, raster, 0, 0, 0).astype(np.float64)
    part = made[: samples.shape[0], : samples.shape[1]]
    assert np.nanmax(np.abs(np.where(samples > 0, (samples - 1) / 65534, np.nan) - part)) <= 0.5 / 65534 + 1e-12
    assert answer.headers["repr-digest"]
    job = (await client.get(f"{API}/jobs/{overlay}")).json()
    assert any("a pixel is 2 pixels of the slide wide" in notice for notice in job["notices"])
    pixels = f"{OVERLAYS}/{overlay}/raster?region=300,320,100,80"
    found = await client.get(pixels)
    assert found.headers["x-wavescope-transform"] == "2.0,0.0,300.0,0.0,2.0,320.0"
    array = np.load(io.BytesIO(found.content), allow_pickle=False)
    assert np.nanmax(np.abs(array - made[160:200, 150:200])) <= 0.5 / 65534 + 1e-12
    as_tiff = await client.get(f"{pixels}&format=tiff")
    assert np.array_equal(tifffile.imread(io.BytesIO(as_tiff.content)), array, equal_nan=True)
    assert np.load(io.BytesIO((await client.get(f"{pixels}&level=1")).content)).shape == (20, 25)
    for other in ("&level=2", "&format=png"):
        assert problem(await client.get(pixels + other)) == (422, "invalid-parameter")
    assert problem(await client.get(f"{OVERLAYS}/{overlay}/raster?region=1,2,3")) == (422, "invalid-parameter")
    for path in ("shapes", "shapes?format=dicom", "vectors/0/0/0"):
        assert problem(await client.get(f"{OVERLAYS}/{overlay}/{path}")) == (422, "invalid-parameter")
    refused = await client.post(OVERLAYS, params={"filename": "a.tif", "content": "heat"}, content=content)
    assert problem(refused) == (422, "invalid-parameter")
    mask = await client.post(OVERLAYS, params={"filename": "a.tif", "content": "labels"}, content=content)
    failed = await ended(client, mask.json()["id"])
    assert (failed["state"], failed["error"]["type"].rpartition("/")[2]) == ("failed", "unsupported-source")

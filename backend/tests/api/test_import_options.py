"""What is chosen of a file and for it when it is uploaded, and when its job begins (WI25, WI70, WI71)."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import tifffile

from api.accounts import API, Clinic, clinic
from api.asking import problem
from ingest.worlds import tissue, write_tiff
from service.world import World
from wavescope.ingest.stored_source import stored_source
from wavescope.store.reader import StoreReader

pytestmark = pytest.mark.slow

TIMES = 3
DATA = np.random.default_rng(1).integers(0, 4000, (TIMES, 2, 90, 130), np.uint16)


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


@pytest.fixture
def series(tmp_path: Path) -> bytes:
    file = tmp_path / "series.ome.tif"
    tifffile.imwrite(file, DATA, metadata={"axes": "TCYX"}, photometric="minisblack")
    return file.read_bytes()


async def ended(client: httpx.AsyncClient, answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code in (200, 202), answer.text
    job = f"{API}/jobs/{answer.json()['id']}"
    await client.get(f"{job}/events")
    return dict((await client.get(job)).json())


async def samples(site: Clinic, client: httpx.AsyncClient, job: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Of the slide that a job has made: channels first."""
    assert job["state"] == "done", job
    digest = (await client.get(f"{API}/slides/{job['slide_id']}")).json()["digest"]
    stored = stored_source(StoreReader.open(site.service.config.store, digest))
    return np.moveaxis(stored.read_region(0, 0, 0, 130, 90), 2, 0)


async def test_wi25_wi51_the_time_points_of_a_file_are_reported_and_one_is_chosen_at_the_start(
    site: Clinic, series: bytes
) -> None:
    ivan = await site.signed_in("ivan")
    url = f"{API}/uploads?filename=series.ome.tif&quality=lossless"
    held = await ivan.post(f"{url}&start=false", content=series)
    job = f"{API}/jobs/{held.json()['id']}"
    assert (held.json()["state"], held.json()["time"]) == ("held", 1)
    assert (await ivan.get(f"{job}/advice")).json()["times"] == TIMES
    assert problem(await ivan.post(f"{job}/start?time=0")) == (422, "invalid-parameter")
    third = await ended(ivan, await ivan.post(f"{job}/start?time=3"))
    assert (third["time"], third["quality"]) == (3, "lossless")
    assert np.array_equal(await samples(site, ivan, third), DATA[2])

    second = await ended(ivan, await ivan.post(f"{url}&time=2", content=series))
    assert np.array_equal(await samples(site, ivan, second), DATA[1])
    again = await ivan.post(f"{url}&time=2", content=series)  # each time point is a slide of its own (ST97)
    assert (again.status_code, again.json()["id"]) == (200, second["slide_id"])
    asked = await ivan.post(f"{url}&time=3&ask_if_stored=true", content=series)
    assert asked.json()["stored_as"] == [third["slide_id"]]

    none = await ended(ivan, await ivan.post(f"{url}&time=4", content=series))
    assert (none["state"], none["error"]["detail"]) == (
        "failed",
        "series.ome.tif: it has 3 time points; --time is 1 to 3",
    )


async def test_wi95_an_upload_in_parts_names_its_time_point(site: Clinic, series: bytes) -> None:
    ivan, tus = await site.signed_in("ivan"), {"tus-resumable": "1.0.0"}
    given = {"filename": "series.ome.tif", "time": "2", "quality": "40dB", "channel_quality": "lossless"}
    pairs = [f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in given.items()]
    headers = {**tus, "upload-length": str(len(series)), "upload-metadata": ",".join(pairs)}
    made = await ivan.post(f"{API}/uploads/resumable", headers=headers)
    headers = {**tus, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
    sent = await ivan.patch(made.headers["location"], headers=headers, content=series)
    job = await ended(ivan, await ivan.get(sent.headers["content-location"]))
    assert np.array_equal(await samples(site, ivan, job), DATA[1])


async def test_wi25_channels_have_a_quality_of_their_own_where_one_is_named(
    site: Clinic, series: bytes, tmp_path: Path
) -> None:
    ivan = await site.signed_in("ivan")

    async def chosen(name: str, content: bytes, query: str) -> str:
        job = await ended(ivan, await ivan.post(f"{API}/uploads?filename={name}&again=true{query}", content=content))
        if job["state"] != "done":
            return str(job["error"]["type"])
        return str((await ivan.get(f"{API}/slides/{job['slide_id']}")).json()["chosen"]["quality"])

    both = "&quality=40dB&channel_quality=0.5sigma"
    picture = write_tiff(tmp_path / "picture.tif", tissue(300, 200)).read_bytes()
    assert await chosen("series.ome.tif", series, both) == "0.5sigma"
    assert await chosen("picture.tif", picture, both) == "40dB"
    assert (await chosen("series.ome.tif", series, "&quality=40dB")).endswith("invalid-parameter")

    held = await ivan.post(f"{API}/uploads?filename=series.ome.tif&start=false{both}", content=series)
    start = f"{API}/jobs/{held.json()['id']}/start"
    assert problem(await ivan.post(f"{start}?channel_quality=best")) == (422, "invalid-parameter")
    job = await ended(ivan, await ivan.post(f"{start}?quality=lossless"))  # it holds for channels, too
    assert np.array_equal(await samples(site, ivan, job), DATA[0])

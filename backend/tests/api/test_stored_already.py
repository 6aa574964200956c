"""An upload of a file that is stored already: asked about, replaced by its owner, secret to others (WI72)."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import API, Clinic, clinic
from api.asking import problem
from ingest.worlds import tissue, twins, write_tiff
from service.world import World

pytestmark = pytest.mark.slow


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


async def post(client: httpx.AsyncClient, path: Path) -> dict[str, Any]:
    answer = await client.post(f"{API}/uploads?filename={path.name}&ask_if_stored=true", content=path.read_bytes())
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


async def ended(client: httpx.AsyncClient, job: dict[str, Any]) -> dict[str, Any]:
    await client.get(f"{API}/jobs/{job['id']}/events")
    return dict((await client.get(f"{API}/jobs/{job['id']}")).json())


async def test_wi72_only_who_sees_the_slide_is_asked_and_only_its_owner_replaces_it(
    site: Clinic, tmp_path: Path
) -> None:
    ivan, olga = await site.signed_in("ivan"), await site.signed_in("olga")
    file = write_tiff(tmp_path / "mine.tif", tissue(300, 200))
    first = await post(ivan, file)
    assert (first["state"], first["stored_as"], first["quality"]) == ("queued", [], "visual")
    slide = (await ended(ivan, first))["slide_id"]

    secret = await post(olga, file)
    assert (secret["state"], secret["stored_as"]) == ("queued", [])
    own = (await ended(olga, secret))["slide_id"]

    again = await post(ivan, file)
    assert (again["state"], again["stored_as"]) == ("held", [slide])
    start = f"{API}/jobs/{again['id']}/start?quality=lossless&replace="
    assert problem(await ivan.post(start + own)) == (404, "unknown-slide")
    assert (await ivan.post(start + slide)).status_code == 200
    assert (await ended(ivan, again))["slide_id"] == slide
    assert (await ivan.get(f"{API}/slides/{slide}")).json()["profile"] == "lossless"
    assert (await olga.get(f"{API}/slides/{own}")).json()["profile"] == "visual"


async def test_wi93_the_same_file_in_the_same_quality_is_the_slide_that_it_is(site: Clinic, tmp_path: Path) -> None:
    """And a user who may not see that slide learns nothing of it."""
    ivan, olga = await site.signed_in("ivan"), await site.signed_in("olga")
    file = write_tiff(tmp_path / "mine.tif", tissue(300, 200)).read_bytes()
    url = f"{API}/uploads?filename=mine.tif"
    first = await ivan.post(url, content=file)
    slide = (await ended(ivan, first.json()))["slide_id"]

    again = await ivan.post(url, content=file)
    assert (again.status_code, again.json()["id"]) == (200, slide)
    assert again.headers["content-location"] == f"{API}/slides/{slide}"
    assert again.json() == (await ivan.get(f"{API}/slides/{slide}")).json()
    assert len((await ivan.get(f"{API}/jobs")).json()["jobs"]) == 1
    assert list((site.service.config.store / "uploads").iterdir()) == []

    for query, state in (
        ("&again=true", "queued"),
        ("&start=false", "held"),
        ("&quality=lossless&start=false", "held"),
    ):
        made = await ivan.post(url + query, content=file)
        assert (made.status_code, made.json()["state"]) == (202, state)
    secret = await olga.post(url + "&title=hers", content=file)
    assert (secret.status_code, secret.json()["stored_as"]) == (202, [])


async def test_wi93_st97_a_file_that_differs_in_some_pixels_is_another_file(site: Clinic, tmp_path: Path) -> None:
    ivan = await site.signed_in("ivan")
    first, second = twins(tmp_path)
    slide = (await ended(ivan, (await ivan.post(f"{API}/uploads?filename=a.tif", content=first.read_bytes())).json()))[
        "slide_id"
    ]
    asked = await post(ivan, second)
    assert (asked["state"], asked["stored_as"]) == ("queued", [])
    assert (await ended(ivan, asked))["slide_id"] != slide
    again = await ivan.post(f"{API}/uploads?filename=a.tif&start=false", content=second.read_bytes())
    assert again.json()["id"] != slide


async def test_wi94_a_form_is_refused_before_it_is_read(site: Clinic) -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("read")
        yield b""

    ivan = await site.signed_in("ivan")
    headers = {"content-type": "multipart/form-data; boundary=x"}
    answer = await ivan.post(f"{API}/uploads?filename=a.svs", headers=headers, content=unread())
    assert problem(answer) == (415, "unsupported-body")
    assert "ZIP archive" in answer.json()["detail"]


async def test_wi94_an_archive_of_a_slide_becomes_that_slide(site: Clinic, tmp_path: Path) -> None:
    ivan, packed = await site.signed_in("ivan"), BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        out.write(write_tiff(tmp_path / "inner.tif", tissue(300, 200)), "folder/inner.tif")
    made = await ivan.post(f"{API}/uploads?filename=set.zip", content=packed.getvalue())
    assert (made.status_code, made.json()["filename"]) == (202, "inner.tif")
    assert (await ended(ivan, made.json()))["state"] == "done"
    hostile = BytesIO()
    with zipfile.ZipFile(hostile, "w") as out:
        out.writestr("../../catalog.sqlite", b"")
    assert problem(await ivan.post(f"{API}/uploads?filename=a.zip", content=hostile.getvalue()))[0] == 415
    assert list((site.service.config.store / "uploads").iterdir()) == []

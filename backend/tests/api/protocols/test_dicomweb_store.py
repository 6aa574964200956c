"""STOW-RS: whole-slide instances become slides, with dicomweb-client and with bodies of every kind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import pydicom
import pytest
import pytest_asyncio
from dicomweb_client import DICOMwebClient
from pydicom.dataset import Dataset

from api.accounts import clinic
from api.asking import API, problem
from edge.edges import served
from service.world import World, running_service
from source.worlds import decoded, jpeg_of, tissue, write_dicom, write_dicom_text
from wavescope.api.app import build_app
from wavescope.config import Limits
from wavescope.ingest.pipeline import Options, ingest
from wavescope.service.access.gate import LOCAL_USER as LOCAL
from wavescope.service.composition import Services
from wavescope.service.jobs.uploads import RESUMABLE
from wavescope.service.protocols.dicom.uids import UidKind, uid_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.filterwarnings("ignore")]

SIDE, WIDTH, HEIGHT = 64, 150, 100
STUDIES = f"{API}/dicomweb/studies"
MEDIA = 'multipart/related; type="application/dicom"; boundary="a b"'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Services, str]]:
    limits = Limits(upload_bytes=1 << 20, archive_files=5)
    store = tmp_path_factory.mktemp("stow") / "store"
    async with running_service(store, limits=limits) as opened, served(build_app(opened)) as address:
        yield opened, address


def series(folder: Path, seed: int, uid: str = "1.2.3") -> list[Path]:
    """Two levels of a slide."""
    folder.mkdir(exist_ok=True)
    tiles = [jpeg_of(tissue(SIDE, SIDE, seed=seed + index)) for index in range(6)]
    level0 = write_dicom(folder / "level0", tiles, (WIDTH, HEIGHT), side=SIDE, series=uid)
    return [level0, write_dicom(folder / "level1", tiles[:2], (75, 50), side=SIDE, series=uid)]


def body_of(*parts: bytes) -> bytes:
    head = b"--a b\r\nContent-Type: application/dicom\r\n\r\n"
    return b"".join(head + part + b"\r\n" for part in parts) + b"--a b--"


async def send(address: str, body: bytes, media: str = MEDIA, path: str = "") -> httpx.Response:
    async with httpx.AsyncClient(base_url=address) as client:
        return await client.post(STUDIES + path, content=body, headers={"content-type": media})


async def ended(opened: Services, link: str) -> list[Any]:
    """The jobs of an answer, when they have ended."""
    found = []
    for one in link.split(","):
        job_id = one.strip().partition(">")[0].rpartition("/")[2]
        record = None
        async for view in opened.jobs.events(LOCAL, job_id):
            record = view.record
        found.append(record)
    return found


def left_over(opened: Services) -> list[Path]:
    return list((opened.config.store / "uploads" / RESUMABLE).glob("dicom-*"))


@pytest.mark.slow
async def test_dicomweb_client_stores_a_series_as_one_slide_dw15_dw16_dw17(
    service: tuple[Services, str], tmp_path: Path
) -> None:
    opened, address = service
    files = [pydicom.dcmread(path) for path in series(tmp_path, 1)]

    def store(client: DICOMwebClient) -> Dataset:
        return client.store_instances(files)

    stored = await asyncio.to_thread(store, DICOMwebClient(f"{address}{API}/dicomweb"))
    assert [one.ReferencedSOPInstanceUID for one in stored.ReferencedSOPSequence] == [
        one.SOPInstanceUID for one in files
    ]
    assert {one.WarningReason for one in stored.ReferencedSOPSequence} == {0xB000}
    assert "FailedSOPSequence" not in stored
    (job,) = await opened.jobs.list(LOCAL)
    (record,) = await ended(opened, job.record.id)
    assert record.state == "done", record.error
    slide = opened.catalog.get(record.slide_id)
    assert (slide.manifest["width"], slide.manifest["height"]) == (WIDTH, HEIGHT)
    text = slide.title + slide.id + str(slide.manifest)
    assert not any(private in text for private in ("Doe", "1955", files[0].StudyInstanceUID, "1.2.3"))

    again = await asyncio.to_thread(store, DICOMwebClient(f"{address}{API}/dicomweb"))
    study = uid_of(slide.digest, UidKind.STUDY)
    urls = {urlsplit(one.RetrieveURL).path for one in again.ReferencedSOPSequence}  # this client's Host has no port
    assert urls == {f"{STUDIES}/{study}"}
    assert len(await opened.jobs.list(LOCAL)) == 1
    described = await asyncio.to_thread(DICOMwebClient(f"{address}{API}/dicomweb").retrieve_study_metadata, study)
    assert not any(private in str(described) for private in ("Doe", "1955", files[0].StudyInstanceUID))
    async with httpx.AsyncClient(base_url=address, follow_redirects=True) as client:
        query = f"x=0&y=0&width={SIDE}&height={SIDE}&format=npy"
        answer = await client.get(f"{API}/slides/{slide.id}/region?{query}")
    pixels = np.load(BytesIO(answer.content)).astype(int)
    assert np.abs(pixels - decoded(jpeg_of(tissue(SIDE, SIDE, seed=1)))).mean() < 8
    assert left_over(opened) == []


async def test_a_series_that_was_imported_from_files_is_no_second_slide_dw16(
    service: tuple[Services, str], tmp_path: Path
) -> None:
    opened, address = service
    files = series(tmp_path / "scanner", 20, "1.2.20")
    made = ingest(str(files[0]), opened.config.store, opened.catalog, Options("imported", "Imported"))
    jobs = len(await opened.jobs.list(LOCAL))
    for order in (files, files[::-1]):
        answer = await send(address, body_of(*(path.read_bytes() for path in order)))
        assert answer.status_code == 202
        urls = {one.RetrieveURL for one in Dataset.from_json(answer.json()).ReferencedSOPSequence}
        assert urls == {f"{address}{STUDIES}/{uid_of(made.digest, UidKind.STUDY)}"}
    assert len(await opened.jobs.list(LOCAL)) == jobs


@pytest.mark.slow
async def test_each_instance_has_its_outcome_dw17_dw18(service: tuple[Services, str], tmp_path: Path) -> None:
    opened, address = service
    good = series(tmp_path / "good", 40, "1.2.40")
    cut = series(tmp_path / "cut", 50, "1.2.50")[0].read_bytes()[:-400]
    report = write_dicom_text(tmp_path / "report.dcm").read_bytes()
    answer = await send(address, body_of(good[0].read_bytes(), b"no DICOM", report, cut, good[1].read_bytes()))
    assert answer.status_code == 202
    outcome = Dataset.from_json(answer.json())
    assert [one.FailureReason for one in outcome.FailedSOPSequence] == [0xC000, 0x0122, 0xC000]
    assert len(outcome.ReferencedSOPSequence) == 2
    (record,) = await ended(opened, answer.headers["link"])
    assert record.state == "done", record.error
    assert left_over(opened) == []


@pytest.mark.slow
async def test_two_series_are_two_jobs_dw16(service: tuple[Services, str], tmp_path: Path) -> None:
    opened, address = service
    parts = [path.read_bytes() for seed in (60, 70) for path in series(tmp_path / str(seed), seed, f"1.2.{seed}")]
    answer = await send(address, body_of(*parts))
    records = await ended(opened, answer.headers["link"])
    assert [record.state for record in records] == ["done", "done"]
    assert len({record.slide_id for record in records}) == 2


async def test_instances_of_another_study_are_refused_dw18(service: tuple[Services, str], tmp_path: Path) -> None:
    opened, address = service
    answer = await send(address, body_of(series(tmp_path, 80)[0].read_bytes()), path="/1.2.3.4")
    assert answer.status_code == 409
    assert [one.FailureReason for one in Dataset.from_json(answer.json()).FailedSOPSequence] == [0xA900]
    assert left_over(opened) == []


@pytest.mark.parametrize(
    ("body", "media", "expected"),
    [
        (b"", MEDIA, (422, "invalid-parameter")),
        (b"--a b--", MEDIA, (422, "unreadable-source")),
        (body_of(b"x")[:-3], MEDIA, (422, "invalid-parameter")),
        (b"--a b\r\n" + b"x" * 20_000, MEDIA, (422, "invalid-parameter")),
        (b"x" * 20_000 + body_of(b"x"), MEDIA, (422, "invalid-parameter")),
        (body_of(b"x" * (1 << 20)), MEDIA, (413, "too-large")),
        (body_of(*[b"x"] * 6), MEDIA, (413, "too-large")),
        (body_of(b"x"), "multipart/related; type=application/dicom", (422, "invalid-parameter")),
        (body_of(b"x"), 'multipart/related; type="application/dicom+json"; boundary=b', (415, "unsupported-body")),
        (b"x", "application/dicom", (415, "unsupported-body")),
    ],
)
async def test_a_body_that_cannot_be_read_leaves_nothing_dw15_dw18(
    service: tuple[Services, str], body: bytes, media: str, expected: tuple[int, str]
) -> None:
    opened, address = service
    before = len(await opened.jobs.list(LOCAL))
    assert problem(await send(address, body, media)) == expected
    assert left_over(opened) == []
    assert len(await opened.jobs.list(LOCAL)) == before


async def test_a_client_that_leaves_in_the_middle_leaves_nothing_dw15(service: tuple[Services, str]) -> None:
    opened, address = service
    host, port = address.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head = f"POST {STUDIES} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: {MEDIA}\r\nContent-Length: 100000\r\n\r\n"
    writer.write(head.encode() + body_of(b"x" * 1000)[:500])
    await writer.drain()
    async with asyncio.timeout(10):
        while not left_over(opened):
            await asyncio.sleep(0.01)
    writer.close()
    while left_over(opened):
        await asyncio.sleep(0.01)


async def test_without_the_right_nothing_is_received_dw15(world: World, tmp_path: Path) -> None:
    async with clinic(world.copy(tmp_path / "store").store) as site:
        vera = await site.signed_in("vera")
        for media in (MEDIA, "application/dicom"):
            answer = await vera.post(STUDIES, content=body_of(b"x"), headers={"content-type": media})
            assert problem(answer) == (403, "forbidden")

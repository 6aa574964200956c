"""DICOMweb as dicomweb-client, pydicom and wsidicom read it from a running service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from io import BytesIO
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import imagecodecs
import numpy as np
import pytest
import pytest_asyncio
from dicomweb_client import DICOMwebClient
from PIL import Image
from pydicom.dataset import Dataset
from requests import HTTPError
from wsidicom import WsiDicom, WsiDicomWebClient

from api.asking import API, problem, running_client
from edge.edges import served
from service.world import HEIGHT, WIDTH, World, running_service
from wavescope.api.app import build_app
from wavescope.geometry import TILE, Pyramid, ceil_div
from wavescope.service.protocols.dicom.uids import UidKind, uid_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.filterwarnings("ignore")]

Result = TypeVar("Result")
JPEG, UNCOMPRESSED = "1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.1"
HTJ2K, JPEG_2000 = "1.2.840.10008.1.2.4.201", "1.2.840.10008.1.2.4.90"
WHOLE_SLIDE = "1.2.840.10008.5.1.4.1.1.77.1.6"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url(world: World) -> AsyncIterator[str]:
    """Of the API of a running service."""
    async with running_service(world.store) as service, served(build_app(service)) as address:
        yield f"{address}{API}"


async def ask(url: str, work: Callable[[DICOMwebClient], Result]) -> Result:
    """What a client of DICOMweb finds, outside of the event loop."""
    return await asyncio.to_thread(lambda: work(DICOMwebClient(f"{url}/dicomweb")))


def uids(world: World, slide: str, level: int = 0) -> tuple[str, str, str]:
    digest = world.digests[slide]
    return (
        uid_of(digest, UidKind.STUDY),
        uid_of(digest, UidKind.SERIES),
        uid_of(digest, UidKind.INSTANCE, level),
    )


async def region(url: str, slide: str, level: int, frame: int, z: int = 0) -> np.ndarray[Any, Any]:
    """The pixels of a frame of a plane by the region route."""
    size = (WIDTH, HEIGHT) if slide != "planes" else (700, 600)
    columns = ceil_div(Pyramid(*size).level_size(level)[0], TILE)
    row, column = divmod(frame - 1, columns)
    query = f"x={TILE * column << level}&y={TILE * row << level}&width={TILE}&height={TILE}&level={level}&z={z}"
    async with httpx.AsyncClient(follow_redirects=True) as client:
        answer = await client.get(f"{url}/slides/{slide}/region?{query}&fill=background&format=npy")
    return np.asarray(np.load(BytesIO(answer.content)))


async def test_dicomweb_client_searches_studies_series_and_instances_dw12_dw13(url: str, world: World) -> None:
    studies = await ask(url, lambda client: client.search_for_studies(limit=2))
    rest = await ask(url, lambda client: client.search_for_studies(limit=2, offset=2))
    found = [Dataset.from_json(one) for one in [*studies, *rest]]
    assert {one.StudyInstanceUID for one in found} == {uids(world, name)[0] for name in world.digests}
    assert (len(studies), len(rest)) == (2, 1)
    assert all(one.NumberOfStudyRelatedSeries == 1 and one.ModalitiesInStudy == "SM" for one in found)
    study, series, _ = uids(world, "visual")
    (one,) = await ask(url, lambda client: client.search_for_series(study))
    assert Dataset.from_json(one).SeriesInstanceUID == series
    levels = await ask(url, lambda client: client.search_for_instances(study, series, fields=["00480006"]))
    pixels = [Dataset.from_json(one) for one in levels]
    assert [(one.TotalPixelMatrixColumns, one.InstanceNumber) for one in pixels] == [
        (WIDTH, 1), (650, 2), (325, 3), (163, 4),
    ]  # fmt: skip
    assert all(one.SOPClassUID == WHOLE_SLIDE for one in pixels)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"StudyDescription": "The vis*"}, ["visual"]),
        ({"00081030": "the LOSSLESS one"}, ["lossless"]),
        ({"ModalitiesInStudy": "SM", "StudyDescription": "*l*"}, ["lossless", "planes", "visual"]),
        ({"Modality": "CT"}, []),
        ({"PatientName": "Doe*"}, []),
        ({"StudyDate": "20200101-20300101"}, []),
        ({"StudyDescription": "%"}, []),
        ({"StudyInstanceUID": "1.2.3"}, []),
        ({"StudyDescription": "The ?????? one"}, ["planes", "visual"]),
    ],
)
async def test_studies_are_found_by_what_they_say_dw13(
    url: str, world: World, filters: dict[str, str], expected: list[str]
) -> None:
    found = await ask(url, lambda client: client.search_for_studies(search_filters=filters))
    names = {uids(world, name)[0]: name for name in world.digests}
    assert sorted(names[one["0020000D"]["Value"][0]] for one in found) == expected


async def test_instances_are_found_by_their_own_attributes_dw13(url: str, world: World) -> None:
    wide = {"TotalPixelMatrixColumns": "650", "SOPClassUID": WHOLE_SLIDE}
    found = await ask(url, lambda client: client.search_for_instances(search_filters=wide))
    assert {one["00080018"]["Value"][0] for one in found} == {
        uids(world, name, 1)[2] for name in ("lossless", "visual")
    }
    by_uid = {"SOPInstanceUID": uids(world, "planes", 2)[2]}
    (one,) = await ask(url, lambda client: client.search_for_instances(search_filters=by_uid, fields=["all"]))
    assert Dataset.from_json(one).TotalPixelMatrixFocalPlanes == 2


async def test_a_search_says_when_there_is_more_and_refuses_what_it_cannot_read_dw14(client: httpx.AsyncClient) -> None:
    more = await client.get(f"{API}/dicomweb/instances?limit=3&fuzzymatching=true")
    assert len(more.json()) == 3
    assert "additional results" in more.headers["warning"]
    assert "fuzzymatching" in more.headers["warning"]
    for query in ("limit=x", "offset=-1", "NoSuchAttribute=1", "includefield=Nonsense", "Rows=256"):
        assert problem(await client.get(f"{API}/dicomweb/studies?{query}")) == (422, "invalid-parameter"), query
    assert (await client.get(f"{API}/dicomweb/studies?offset=1000000")).json() == []


@pytest.mark.parametrize(("slide", "planes", "levels"), [("visual", 1, 4), ("planes", 2, 3)])
@pytest.mark.parametrize("syntax", [JPEG, UNCOMPRESSED, HTJ2K, JPEG_2000])
async def test_frames_decode_to_the_pixels_of_the_region_route_dw9_dw10(
    url: str, world: World, slide: str, planes: int, levels: int, syntax: str
) -> None:
    media = {JPEG: "image/jpeg", UNCOMPRESSED: "application/octet-stream", HTJ2K: "image/jphc", JPEG_2000: "image/jp2"}

    def decoded(frame: bytes) -> np.ndarray[Any, Any]:
        if syntax == UNCOMPRESSED:
            return np.frombuffer(frame, np.uint8).reshape(TILE, TILE, 3)
        decoders: dict[str, Callable[[bytes], Any]] = {
            JPEG: imagecodecs.jpeg8_decode,
            HTJ2K: imagecodecs.htj2k_decode,
            JPEG_2000: imagecodecs.jpeg2k_decode,
        }
        return np.asarray(decoders[syntax](frame))

    for level in (0, levels - 1):
        names = uids(world, slide, level)
        described = Dataset.from_json(await ask(url, partial(metadata_of, names)))
        per_plane = described.NumberOfFrames // planes
        numbers = sorted({1, per_plane, described.NumberOfFrames})
        if syntax == HTJ2K:  # its media type is not among those that this client knows
            frames = [await one_frame(url, names, one, f"image/jphc; transfer-syntax={syntax}") for one in numbers]
        else:
            frames = await ask(url, partial(frames_of, names, numbers, (media[syntax], syntax)))
        for number, frame in zip(numbers, frames, strict=True):
            z, of_plane = divmod(number - 1, per_plane)
            expected, found = await region(url, slide, level, of_plane + 1, z), decoded(frame)
            if syntax == JPEG:
                assert np.abs(found.astype(int) - expected).mean() < 8  # noise; the file is the region route's
            else:
                assert np.array_equal(found, expected)


def metadata_of(names: tuple[str, str, str], client: DICOMwebClient) -> dict[str, Any]:
    found: dict[str, Any] = client.retrieve_instance_metadata(*names)
    return found


def frames_of(
    names: tuple[str, str, str], numbers: list[int], media: tuple[str, str], client: DICOMwebClient
) -> list[bytes]:
    return client.retrieve_instance_frames(*names, numbers, (media,))


async def one_frame(url: str, names: tuple[str, str, str], number: int, accept: str) -> bytes:
    study, series, instance = names
    async with httpx.AsyncClient() as client:
        path = f"{url}/dicomweb/studies/{study}/series/{series}/instances/{instance}/frames/{number}"
        answer = await client.get(path, headers={"accept": accept})
    assert answer.status_code == 200, answer.text
    return answer.content


async def test_a_jpeg_frame_is_the_file_of_the_region_route_dw9(url: str, world: World) -> None:
    frame = await one_frame(url, uids(world, "lossless"), 6, f"image/jpeg; transfer-syntax={JPEG}")
    query = f"x=1280&y=0&width={TILE}&height={TILE}&fill=background&format=jpg"
    async with httpx.AsyncClient(follow_redirects=True) as client:
        assert frame == (await client.get(f"{url}/slides/lossless/region?{query}")).content


async def test_wsidicom_opens_the_slide_over_dicomweb_dw4_dw6_dw9(url: str, world: World) -> None:
    study, series, _ = uids(world, "planes")

    def read() -> tuple[Any, ...]:
        client = WsiDicomWebClient(DICOMwebClient(f"{url}/dicomweb"))
        with WsiDicom.open_web(client, study, [series], JPEG) as slide:
            base = slide.pyramids[0].base_level
            upper = base.focal_planes[-1]
            picture = np.asarray(slide.read_region((100, 50), 0, (400, 300), z=upper).convert("RGB"))
            small = np.asarray(slide.read_region((0, 0), 1, (350, 300)).convert("RGB"))
            return base.size.width, base.size.height, len(base.focal_planes), len(slide.pyramids[0]), picture, small

    width, height, planes, levels, picture, small = await asyncio.to_thread(read)
    assert (width, height, planes, levels) == (700, 600, 2, 3)
    async with httpx.AsyncClient(follow_redirects=True) as client:
        answer = await client.get(f"{url}/slides/planes/region?x=100&y=50&width=400&height=300&z=1&format=npy")
        expected = np.load(BytesIO(answer.content))
    assert np.abs(picture.astype(int) - expected).mean() < 4
    assert small.shape == (300, 350, 3)


async def test_rendered_pictures_and_thumbnails_dw11(url: str, world: World) -> None:
    names = uids(world, "visual", 2)

    def read(client: DICOMwebClient) -> list[bytes]:
        return [
            client.retrieve_instance_rendered(*names, media_types=("image/png",)),
            client.retrieve_series_rendered(*names[:2], media_types=("image/jpeg",)),
            client.retrieve_instance_frames_rendered(*names, [1], media_types=("image/png",)),
        ]

    level, whole, frame = (Image.open(BytesIO(one)) for one in await ask(url, read))
    assert (level.size, level.format) == ((325, 275), "PNG")
    assert (whole.size, whole.format) == ((WIDTH, HEIGHT), "JPEG")
    assert np.array_equal(np.asarray(frame), await region(url, "visual", 2, 1))


async def test_the_profile_is_bulk_data_dw8(url: str, world: World) -> None:
    names = uids(world, "visual", 1)
    metadata = await ask(url, lambda client: client.retrieve_instance_metadata(*names))
    stated = metadata["00480105"]["Value"][0]["00282000"]["BulkDataURI"]
    address = url.removesuffix(API) + urlsplit(stated).path  # this client's Host has no port
    (profile,) = await ask(url, lambda client: client.retrieve_bulkdata(address))
    assert profile[36:40] == b"acsp"
    async with httpx.AsyncClient() as client:
        assert (await client.get(address, headers={"accept": "application/octet-stream"})).content == profile
        assert problem(await client.get(address, headers={"accept": "image/png"})) == (406, "not-acceptable")


async def test_what_is_not_there_dw3_dw9(client: httpx.AsyncClient, world: World) -> None:
    study, series, instance = uids(world, "visual")
    other = uids(world, "lossless")
    root = f"{API}/dicomweb/studies"
    unknown = [f"{other[0]}/series/{series}/metadata", f"{study}/series/{other[1]}/metadata", "1.2.3/metadata"]
    unknown += [f"{study}/series/{series}/instances/{one}/metadata" for one in (other[2], series, "2.25.0")]
    unknown += [f"{study}/series/{series}/instances/{uids(world, 'visual', 9)[2]}/metadata", f"{series}/metadata"]
    for path in unknown:
        assert problem(await client.get(f"{root}/{path}")) == (404, "unknown-dicom-object"), path
    frames = f"{root}/{study}/series/{series}/instances/{instance}/frames"
    assert problem(await client.get(f"{frames}/0")) == (400, "out-of-range")
    assert problem(await client.get(f"{frames}/31")) == (400, "out-of-range")
    assert problem(await client.get(f"{frames}/{'1,' * 1000}1")) == (400, "out-of-range")
    assert problem(await client.get(f"{frames}/1,a")) == (422, "invalid-parameter")
    accept = {"accept": "multipart/related; type=video/mp4"}
    assert problem(await client.get(f"{frames}/1", headers=accept)) == (406, "not-acceptable")
    assert problem(await client.get(f"{frames}/1,2", headers={"accept": "image/jpeg"})) == (406, "not-acceptable")


async def test_addresses_are_those_of_the_configured_public_address_wi136(world: World) -> None:
    public = "https://slides.example:8443"
    study, series, instance = uids(world, "visual")
    async with running_client(world.store, public_url=f"{public}/", open_to_all=True) as client:
        found = (await client.get(f"{API}/dicomweb/studies?StudyInstanceUID={study}")).json()
        metadata = (await client.get(f"{API}/dicomweb/studies/{study}/metadata")).json()
        info = (await client.get(f"{API}/slides/visual/iiif/3/info.json")).json()
    root = f"{public}{API}/dicomweb/studies/{study}"
    assert found[0]["00081190"]["Value"] == [root]
    profile = metadata[0]["00480105"]["Value"][0]["00282000"]["BulkDataURI"]
    assert profile == f"{root}/series/{series}/instances/{instance}/bulkdata/icc"
    assert info["id"] == f"{public}{API}/slides/visual/iiif/3"


@pytest.mark.parametrize("path", ["studies", "studies/{study}/metadata", "studies/{study}/series"])
async def test_there_is_dicom_json_and_no_xml_dw19(client: httpx.AsyncClient, world: World, path: str) -> None:
    url = f"{API}/dicomweb/{path.format(study=uids(world, 'visual')[0])}"
    for accept in ("application/dicom+xml", 'multipart/related; type="application/dicom+xml"', "text/html"):
        assert problem(await client.get(url, headers={"accept": accept})) == (406, "not-acceptable"), accept
    both = 'multipart/related; type="application/dicom+xml", application/dicom+json; q=0.5'
    for accept in ("", "*/*", "application/*", "application/json", "application/dicom+json", both):
        answer = await client.get(url, headers={"accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/dicom+json"), accept


async def test_rendered_pictures_say_which_parameters_change_nothing_dw20(
    client: httpx.AsyncClient, world: World
) -> None:
    study, series, instance = uids(world, "visual", 1)
    base = f"{API}/dicomweb/studies/{study}/series/{series}/instances/{instance}"
    for path in (f"{base}/rendered", f"{base}/thumbnail", f"{base}/frames/1/rendered"):
        plain = await client.get(path, headers={"accept": "image/png"})
        query = "?quality=50&window=100,50,linear&iccprofile=yes"
        answer = await client.get(path + query, headers={"accept": "image/png"})
        assert answer.content == plain.content
        assert "warning" not in plain.headers
        assert answer.headers["warning"].startswith('299 wavescope "the parameters quality, window, iccprofile are not')
    assert problem(await client.get(f"{base}/rendered?annotation=patient")) == (400, "unknown-parameter")


async def test_whole_instances_are_not_made_dw21(client: httpx.AsyncClient, world: World) -> None:
    study, series, instance = uids(world, "visual")
    root = f"{API}/dicomweb/studies"
    for path in (study, f"{study}/series/{series}", f"{study}/series/{series}/instances/{instance}"):
        for headers in ({"accept": 'multipart/related; type="application/dicom"'}, {}):
            assert problem(await client.get(f"{root}/{path}", headers=headers)) == (406, "not-acceptable")
    assert problem(await client.get(f"{root}/1.2.3")) == (404, "unknown-dicom-object")


async def test_an_unknown_study_is_an_error_of_the_client_dw3(url: str) -> None:
    with pytest.raises(HTTPError, match="404"):
        await ask(url, lambda client: client.retrieve_study_metadata("1.2.3"))


async def test_frames_are_cached_for_ever_metadata_are_revalidated_dw7(client: httpx.AsyncClient, world: World) -> None:
    study, series, instance = uids(world, "visual")
    root = f"{API}/dicomweb/studies/{study}/series/{series}/instances/{instance}"
    frame = await client.get(f"{root}/frames/1")
    assert "immutable" in frame.headers["cache-control"]
    assert frame.headers["content-type"].startswith('multipart/related; type="application/octet-stream"')
    again = await client.get(f"{root}/frames/1", headers={"if-none-match": frame.headers["etag"]})
    assert again.status_code == 304
    tags = {frame.headers["etag"]}
    for accept in ("image/jpeg", "multipart/related; type=image/jpeg", "application/octet-stream; transfer-syntax=*"):
        tags.add((await client.get(f"{root}/frames/1", headers={"accept": accept})).headers["etag"])
    assert len(tags) == 4  # an answer of its own kind has a tag of its own
    described = await client.get(f"{root}/metadata")
    assert described.headers["cache-control"] == "no-cache"
    assert (
        await client.get(f"{root}/metadata", headers={"if-none-match": described.headers["etag"]})
    ).status_code == 304
    await client.patch(f"{API}/slides/visual", json={"title": "Another title"})
    try:
        changed = await client.get(f"{root}/metadata", headers={"if-none-match": described.headers["etag"]})
        assert changed.json()[0]["00081030"]["Value"] == ["Another title"]
    finally:
        await client.patch(f"{API}/slides/visual", json={"title": "The visual one"})

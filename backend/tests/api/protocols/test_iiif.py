"""IIIF over HTTP, beside what its validator asks."""

from __future__ import annotations

from io import BytesIO

import httpx
import jsonschema
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from annotations.shapes import EVERY_KIND
from api.accounts import clinic
from api.asking import API, problem, running_client
from service.world import HEIGHT, WIDTH, World
from wavescope.catalog.access.sharing import SharingTable
from wavescope.config import Limits, Rates


def pixels(response: httpx.Response) -> NDArray[np.uint8]:
    assert response.status_code == 200, response.text
    return np.asarray(Image.open(BytesIO(response.content)))


def image(world: World, slide: str = "lossless", api: str = "3") -> str:
    return f"{API}/slides/{slide}/v/{world.digests[slide]}/iiif/{api}"


@pytest.mark.parametrize("plane", ["", "/planes/0"])
async def test_the_address_without_a_version_is_an_image_of_its_own_if16(
    client: httpx.AsyncClient, world: World, plane: str
) -> None:
    current = f"{API}/slides/visual/iiif/3{plane}"
    answer = await client.get(current, follow_redirects=True)
    assert [one.status_code for one in answer.history] == [303]
    assert answer.headers["cache-control"] == "no-cache"
    versioned = await client.get(f"{image(world, 'visual')}{plane}/info.json")
    assert answer.json() == versioned.json() | {"id": f"http://127.0.0.1:8000{current}"}
    picture = await client.get(f"{current}/full/90,/0/default.png")
    assert (picture.status_code, picture.headers["cache-control"]) == (307, "no-cache")
    assert problem(await client.get(f"{API}/slides/none/iiif/3{plane}")) == (404, "unknown-slide")


async def test_the_address_of_another_version_of_the_api_is_404_if1(client: httpx.AsyncClient, world: World) -> None:
    assert problem(await client.get(f"{API}/slides/visual/iiif/1")) == (404, "not-found")
    assert problem(await client.get(f"{image(world)[:-1]}1/info.json")) == (404, "not-found")


async def test_the_id_is_the_address_that_a_trusted_proxy_states_if1(world: World) -> None:
    async with running_client(world.store, trusted_proxies=("127.0.0.1",), open_to_all=True) as client:
        headers = {"host": "slides.example", "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}
        info = (await client.get(f"{image(world)}/info.json", headers=headers)).json()
        picture = await client.get(f"{image(world)}/full/9,/0/default.jpg", headers=headers)
    assert info["id"] == f"https://slides.example{image(world)}"
    assert f"<{info['id']}/full/9,8/0/default.jpg>" in picture.headers["link"]


async def test_the_media_type_of_the_information_is_negotiated_if2(client: httpx.AsyncClient, world: World) -> None:
    for api, accept, found in (
        ("3", "*/*", "application/ld+json"),
        ("3", "application/json", "application/json"),
        ("2", "*/*", "application/json"),
        ("2", "application/ld+json", "application/ld+json"),
    ):
        answer = await client.get(f"{image(world, api=api)}/info.json", headers={"accept": accept})
        assert answer.headers["content-type"].partition(";")[0] == found
        assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize("kind", ["png", "jpg", "webp"])
async def test_pictures_at_our_tiles_are_the_region_of_their_level_if7(
    client: httpx.AsyncClient, world: World, kind: str
) -> None:
    info = (await client.get(f"{image(world)}/info.json")).json()
    (tiles,) = info["tiles"]
    assert (tiles["width"], tiles["scaleFactors"]) == (256, [1, 2, 4, 8])
    for level, x, y in ((0, 5, 4), (1, 2, 2), (2, 1, 1), (3, 0, 0)):
        scale = 1 << level
        left, top = 256 * scale * x, 256 * scale * y
        wide, high = min(256 * scale, WIDTH - left), min(256 * scale, HEIGHT - top)
        size = f"{-(-wide // scale)},{-(-high // scale)}"
        picture = await client.get(f"{image(world)}/{left},{top},{wide},{high}/{size}/0/default.{kind}")
        query = f"x={left}&y={top}&width={-(-wide // scale)}&height={-(-high // scale)}&level={level}&format={kind}"
        region = await client.get(f"{API}/slides/lossless/v/{world.digests['lossless']}/region?{query}")
        assert picture.content == region.content


async def test_scaled_pictures_are_near_a_scaled_original_if7(client: httpx.AsyncClient, world: World) -> None:
    scaled = pixels(await client.get(f"{image(world)}/101,57,600,400/211,140/0/default.png"))
    box = (101, 57, 701, 457)
    expected = Image.fromarray(world.picture).resize((211, 140), Image.Resampling.BOX, box)
    assert np.abs(scaled.astype(int) - np.asarray(expected)).mean() < 8


async def test_pictures_are_mirrored_turned_and_reduced_to_grey_if5_if6(
    client: httpx.AsyncClient, world: World
) -> None:
    part, original = f"{image(world)}/300,200,64,32/max", world.picture[200:232, 300:364]
    assert np.array_equal(pixels(await client.get(f"{part}/!0/default.png")), original[:, ::-1])
    assert np.array_equal(pixels(await client.get(f"{part}/90/default.png")), np.rot90(original, -1))
    assert np.array_equal(pixels(await client.get(f"{part}/!180/default.png")), original[::-1])
    grey = pixels(await client.get(f"{part}/0/gray.png"))
    assert np.array_equal(grey, np.asarray(Image.fromarray(original).convert("L")))
    assert np.array_equal(pixels(await client.get(f"{part}/0/bitonal.png")), np.where(grey >= 128, 255, 0))
    turned = pixels(await client.get(f"{part}/30/default.png"))
    assert turned.shape[2] == 4
    assert turned[0, 0, 3] == 0
    assert (pixels(await client.get(f"{part}/30/default.jpg"))[0, 0] >= 250).all()


async def test_any_angle_is_clockwise_if5(client: httpx.AsyncClient, world: World) -> None:
    original = world.picture[200:264, 300:364].astype(int)
    turned = pixels(await client.get(f"{image(world)}/300,200,64,64/max/89.9/default.jpg")).astype(int)
    middle, inside = slice(10, 54), slice((turned.shape[0] - 44) // 2, (turned.shape[0] - 44) // 2 + 44)
    clockwise, other = (np.rot90(original, turns)[middle, middle] for turns in (-1, 1))
    assert 2 * np.abs(turned[inside, inside] - clockwise).mean() < np.abs(turned[inside, inside] - other).mean()


@pytest.mark.parametrize(
    ("kind", "media"),
    [("jpg", "image/jpeg"), ("png", "image/png"), ("webp", "image/webp"), ("avif", "image/avif")],
)
async def test_formats_if6(client: httpx.AsyncClient, world: World, kind: str, media: str) -> None:
    for rest in ("0/default", "45/gray", "0/bitonal"):
        answer = await client.get(f"{image(world)}/100,100,90,50/max/{rest}.{kind}")
        assert answer.headers["content-type"] == media
        assert Image.open(BytesIO(answer.content)).format == media.partition("/")[2].upper()


async def test_what_is_invalid_is_400_and_too_large_a_picture_too_if3_if4(world: World) -> None:
    async with running_client(world.store, limits=Limits(region_pixels=40_000)) as client:
        for path in ("full/pct:50/0/default.jpg", "9999,0,1,1/max/0/default.jpg", "full/9,/400/default.jpg",
                     "full/9,/0/nice.jpg", "full/9,/0/default.tif"):  # fmt: skip
            assert problem(await client.get(f"{image(world)}/{path}")) == (400, "invalid-image-request")
        largest = pixels(await client.get(f"{image(world)}/full/max/0/default.png"))
        assert 9_500 < largest.shape[0] * largest.shape[1] <= 10_000


async def test_pictures_are_immutable_conditional_and_counted_as_pixels_if9(
    client: httpx.AsyncClient, world: World
) -> None:
    url = f"{image(world)}/full/300,/0/default.jpg"
    first = await client.get(url)
    assert "immutable" in first.headers["cache-control"]
    again = await client.get(url, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    part = await client.get(url, headers={"range": "bytes=2-9"})
    assert (part.status_code, part.content) == (206, first.content[2:10])
    async with running_client(
        world.store, rate_limits=True, open_to_all=True, rates=Rates(rate_pixels="1/hour")
    ) as counted:
        statuses = [(await counted.get(url)).status_code for _ in range(2)]
        assert statuses == [200, 429]


async def test_a_manifest_has_a_canvas_for_each_slide_if10_if11(client: httpx.AsyncClient, world: World) -> None:
    manifest = (await client.get(f"{API}/slides/visual/iiif/manifest")).json()
    assert (manifest["type"], manifest["label"]) == ("Manifest", {"none": ["The visual one"]})
    (canvas,) = manifest["items"]
    assert (canvas["width"], canvas["height"]) == (WIDTH, HEIGHT)
    body = canvas["items"][0]["items"][0]["body"]
    assert body["service"][0]["id"].endswith(image(world, "visual"))
    assert (await client.get(body["id"])).status_code == 200
    assert (await client.get(canvas["thumbnail"][0]["id"])).status_code == 200
    case = await client.post(f"{API}/cases", json={"title": "Two", "slides": ["visual", "lossless"]})
    two = await client.get(f"{API}/cases/{case.json()['id']}/iiif/manifest")
    assert two.headers["cache-control"] == "no-cache"
    assert two.json()["label"] == {"none": ["Two"]}
    assert [one["label"]["none"][0] for one in two.json()["items"]] == ["The visual one", "The lossless one"]
    await client.delete(f"{API}/cases/{case.json()['id']}")


async def test_annotations_are_a_page_of_their_canvas_if12(client: httpx.AsyncClient) -> None:
    corners = [[10, 20], [40, 20], [40, 60], [10, 60], [10, 20]]
    content = {"kind": "rectangle", "geometry": {"type": "Polygon", "coordinates": [corners]}, "class": "Tumour"}
    url = f"{API}/slides/planes/annotations/box"
    assert (await client.put(url, json=content, headers={"if-none-match": "*"})).status_code == 201
    (canvas,) = (await client.get(f"{API}/slides/planes/iiif/manifest")).json()["items"]
    page = (await client.get(canvas["annotations"][0]["id"])).json()
    (item,) = page["items"]
    assert page["id"] == canvas["annotations"][0]["id"]
    assert (item["motivation"], item["target"]["source"]) == ("tagging", canvas["id"])
    assert item["target"]["selector"]["value"] == "xywh=pixel:10,20,30,40"
    await client.delete(url, headers={"if-match": '"r1"'})


HTTP = {"type": "string", "pattern": "^https?://"}
WHOLE = {"type": "integer", "exclusiveMinimum": 0}
SELECTOR = {
    "type": "object",
    "required": ["type"],
    "oneOf": [
        {"properties": {"type": {"const": "PointSelector"}, "x": WHOLE, "y": WHOLE}},
        {"properties": {"type": {"enum": ["SvgSelector", "FragmentSelector"]}}, "required": ["value"]},
    ],
}
BODY = {"required": ["type", "value"], "properties": {"type": {"const": "TextualBody"}, "purpose": {"type": "string"}}}
ANNOTATION_PAGE = {  # what the schema of the consortium's validator wants of a page such as this
    "type": "object",
    "required": ["@context", "id", "type", "items"],
    "additionalProperties": False,
    "properties": {
        "@context": {"const": "http://iiif.io/api/presentation/3/context.json"},
        "id": HTTP,
        "type": {"const": "AnnotationPage"},
        "items": {
            "type": "array",
            "items": {
                "required": ["id", "type", "target"],
                "properties": {
                    "id": HTTP,
                    "type": {"const": "Annotation"},
                    "motivation": {"type": "string"},
                    "body": {"type": "array", "items": BODY},
                    "target": {
                        "required": ["type", "source"],
                        "properties": {
                            "type": {"const": "SpecificResource"},
                            "source": HTTP,
                            "selector": {"oneOf": [SELECTOR, {"type": "array", "items": SELECTOR}]},
                        },
                    },
                },
            },
        },
    },
}


async def test_an_annotation_page_passes_the_schema_of_the_consortium_if12(client: httpx.AsyncClient) -> None:
    changes = [
        {"id": "7a5ad4b4-6f4e-4c6b-9d51-1f6f0a0c2b11" if place == 0 else f"kind-{place}", "revision": 0, "content": one}
        for place, one in enumerate(EVERY_KIND)
    ]
    url = f"{API}/slides/planes"
    done = await client.post(f"{url}/annotations:batch", json={"changes": changes})
    assert done.status_code == 200, done.text
    page = await client.get(f"{url}/iiif/canvas/annotations")
    assert page.headers["content-type"].startswith("application/ld+json")
    document = page.json()
    assert len(document["items"]) == len(EVERY_KIND)
    jsonschema.validate(document, ANNOTATION_PAGE)
    for change in changes:
        await client.delete(f"{url}/annotations/{change['id']}", headers={"if-match": '"r1"'})


async def test_pages_of_other_sites_read_what_is_public_or_what_a_token_allows_if13(
    world: World, damaged: World
) -> None:
    async with clinic(damaged.store) as opened:
        SharingTable(opened.service.catalog).share("slide", "visual", True, [])
        client = opened.client(headers={"origin": "https://viewer.example"})
        for path in (f"{image(world, 'visual')}/info.json", f"{API}/slides/visual/iiif/manifest",
                     f"{API}/slides/visual/ome.zarr/zarr.json", f"{image(world)}/info.json"):  # fmt: skip
            answer = await client.get(path)
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
            assert answer.status_code == (404 if "lossless" in path else 307 if "zarr" in path else 200)
        assert "access-control-allow-origin" not in (await client.get(f"{API}/slides/visual")).headers
        asked = await client.options(f"{image(world)}/info.json", headers={"access-control-request-method": "GET"})
        assert asked.status_code == 204
        assert "Authorization" in asked.headers["access-control-allow-headers"]


async def test_without_accounts_only_configured_sites_may_read_if13(world: World) -> None:
    async with running_client(world.store, cors_origins=("https://viewer.example",)) as client:
        url = f"{image(world)}/info.json"
        listed = await client.get(url, headers={"origin": "https://viewer.example"})
        assert listed.headers["access-control-allow-origin"] == "https://viewer.example"
        assert (
            "access-control-allow-origin"
            not in (await client.get(url, headers={"origin": "https://x.example"})).headers
        )

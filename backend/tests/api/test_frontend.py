"""The built microscope's files."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from api.asking import problem, running_client
from service.world import World

DOCS = Path(__file__).resolve().parents[3] / "frontend" / "app" / "docs"
FILES = {
    "index.html": b"<!doctype html><div id=root></div>",
    "favicon.svg": b"<svg/>",
    "assets/index-AbCd1234.js": b"let x",
    "assets/kernel-AbCd1234.wasm": b"\0asm",
    "docs/index.html": b"<!doctype html><div id=contract></div>",
    "docs/start.js": b"start",
    "assets/page-AbCd1234.css": b"plain",
    "assets/page-AbCd1234.css.br": b"brotli",
    "assets/page-AbCd1234.css.gz": b"gzip",
    "photo.png": b"\x89PNG" * 100,
}


@pytest.fixture
async def page(world: World, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    dist = tmp_path / "dist"
    for name, content in FILES.items():
        (dist / name).parent.mkdir(parents=True, exist_ok=True)
        (dist / name).write_bytes(content)
    (tmp_path / "secret.txt").write_text("hidden content")
    async with running_client(world.store, frontend=dist) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/slides/cmu-1", "/slides/a.b/deep", "/slides/cmu-1.svs", "/anything"])
async def test_the_pages_own_routes_get_the_page_wi35(page: httpx.AsyncClient, path: str) -> None:
    response = await page.get(path)
    assert response.content == FILES["index.html"]
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/exported", "/exported/"])
async def test_the_page_of_exported_slides_is_found_without_its_file_name_sh9(
    page: httpx.AsyncClient, path: str
) -> None:
    response = await page.get(path)
    assert (response.status_code, response.headers["location"]) == (308, "/exported/index.html")


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
async def test_the_contract_has_a_page_of_files_of_the_service_wi92(page: httpx.AsyncClient, path: str) -> None:
    response = await page.get(path)
    assert response.content == FILES["docs/index.html"]
    assert "script-src 'self'" in response.headers["content-security-policy"]
    assert (await page.get("/docs/start.js")).content == FILES["docs/start.js"]
    written = (DOCS / "index.html").read_text()
    assert set(re.findall(r'(?:src|href)="([^"]*)"', written)) == {
        "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"
    }  # fmt: skip
    assert "//" not in (DOCS / "start.js").read_text().partition("\n")[2]


@pytest.mark.parametrize(
    ("name", "media"),
    [("assets/index-AbCd1234.js", "text/javascript"), ("assets/kernel-AbCd1234.wasm", "application/wasm")],
)
async def test_hashed_files_are_immutable_and_have_their_type_wi35(
    page: httpx.AsyncClient, name: str, media: str
) -> None:
    response = await page.get(f"/{name}")
    assert response.content == FILES[name]
    assert response.headers["content-type"].startswith(media)
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_other_files_are_asked_for_again_cheaply(page: httpx.AsyncClient) -> None:
    first = await page.get("/favicon.svg")
    assert first.headers["cache-control"] == "no-cache"
    again = await page.get("/favicon.svg", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_an_unchanged_page_states_who_may_frame_it_now_lt16(page: httpx.AsyncClient) -> None:
    first = await page.get("/")
    again = await page.get("/", headers={"if-none-match": first.headers["etag"]})
    policy = "content-security-policy"
    assert (again.status_code, again.headers[policy]) == (304, first.headers[policy])


async def test_text_is_packed_for_those_who_can_unpack_it_wi35(page: httpx.AsyncClient) -> None:
    url = "/assets/index-AbCd1234.js"
    packed = await page.get(url, headers={"accept-encoding": "gzip"})
    plain = await page.get(url, headers={"accept-encoding": "identity"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.content == plain.content == FILES[url[1:]]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.headers["etag"] != plain.headers["etag"]
    picture = await page.get("/photo.png", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in picture.headers


@pytest.mark.parametrize("accepted", ["br", "gzip", "identity"])
@pytest.mark.parametrize("path", ["/", "/assets/page-AbCd1234.css", "/photo.png"])
async def test_a_file_states_the_digest_of_what_is_sent_and_a_tag_of_its_content_wi35(
    page: httpx.AsyncClient, path: str, accepted: str
) -> None:
    async with page.stream("GET", path, headers={"accept-encoding": accepted}) as response:
        body = b"".join([chunk async for chunk in response.aiter_raw()])
    digest = sha256(body).digest()
    assert response.headers["repr-digest"] == f"sha-256=:{b64encode(digest).decode()}:"
    assert response.headers["etag"] == f'"{digest.hex()[:32]}"'


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=1.0, br;q=0.5", "br"),
        ("gzip", "gzip"),
        ("gzip;q=0, br;q=0.0", "plain"),
        ("identity", "plain"),
    ],
)
async def test_files_that_the_build_has_compressed_are_sent_as_they_are_wi35(
    page: httpx.AsyncClient, accepted: str, coding: str
) -> None:
    async with page.stream("GET", "/assets/page-AbCd1234.css", headers={"accept-encoding": accepted}) as response:
        body = b"".join([chunk async for chunk in response.aiter_raw()])
    assert body == {"br": b"brotli", "gzip": b"gzip", "plain": b"plain"}[coding]
    assert response.headers.get("content-encoding", "plain") == coding
    assert (response.headers["vary"], response.headers["content-type"]) == (
        "Accept-Encoding",
        "text/css; charset=utf-8",
    )
    condition = {"accept-encoding": accepted, "if-none-match": response.headers["etag"]}
    assert (await page.get("/assets/page-AbCd1234.css", headers=condition)).status_code == 304


HIDDEN = [
    "/nothing.js",
    "/assets/nothing",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%00.txt",
    f"/{'x' * 5000}.js",
]


@pytest.mark.parametrize(
    ("path", "ahead"), [("/slides/a%20b", "/api/v1/slides/a%20b"), ("/", None), ("/cases/a", None)]
)
async def test_a_slides_page_names_what_it_will_ask_for(page: httpx.AsyncClient, path: str, ahead: str | None) -> None:
    link = (await page.get(path)).headers.get("link")
    thumbnail = f"<{ahead}/thumbnail?max=576>; rel=preload; as=image"
    assert link == (ahead and f"<{ahead}>; rel=preload; as=fetch; crossorigin, {thumbnail}")


@pytest.mark.parametrize("path", HIDDEN)
async def test_what_is_not_in_the_folder_is_not_found(page: httpx.AsyncClient, path: str) -> None:
    response = await page.get(path)
    assert b"hidden content" not in response.content
    assert problem(response) == (404, "not-found")


async def test_without_a_build_a_page_tells_the_command(client: httpx.AsyncClient) -> None:
    for path in ("/", "/slides/visual"):
        response = await client.get(path)
        assert response.status_code == 503
        assert "npm run build" in response.text
    assert problem(await client.get("/other")) == (404, "not-found")

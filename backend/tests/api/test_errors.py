"""Every refusal, as data: what is asked, what it answers."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from api.asking import API, problem, running_client
from service.world import World
from wavescope.service.access.gate import Action, Principal

S = f"{API}/slides/visual/v/{{digest}}"
REGION = f"{S}/region?x=0&y=0&width=10&height=10"
HUGE = "9" * 40

GETS = {
    # slides
    f"{API}/slides/nobody": (404, "unknown-slide"),
    f"{API}/slides/%ff%fe": (404, "unknown-slide"),
    f"{API}/slides/%00": (404, "unknown-slide"),
    f"{API}/slides/nobody/thumbnail": (404, "unknown-slide"),
    f"{API}/slides/nobody/blocks/0/0/0/0/0": (404, "unknown-slide"),
    f"{API}/slides/nobody/v/{'0' * 32}/blocks/0/0/0/0/0": (404, "unknown-slide"),
    f"{API}/slides/visual/v/{'0' * 32}/blocks/0/0/0/0/0": (410, "stale-version"),
    f"{API}/slides/visual/v/x/tiles/0/0/0/0.png": (410, "stale-version"),
    f"{API}/slides/visual/v/..%2f..%2fcatalog/region?x=0&y=0&width=1&height=1": (404, "not-found"),
    f"{API}/slides?page=0": (422, "invalid-parameter"),
    f"{API}/slides?page=-1": (422, "invalid-parameter"),
    f"{API}/slides?page=x": (422, "invalid-parameter"),
    f"{API}/slides?page={HUGE}": (422, "invalid-parameter"),
    f"{API}/slides?per_page=201": (422, "invalid-parameter"),
    f"{API}/slides?search={'x' * 201}": (422, "invalid-parameter"),
    # blocks
    f"{S}/blocks/0/0/0/6/0": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/0/-1": (400, "out-of-range"),
    f"{S}/blocks/1/0/0/0/0": (400, "out-of-range"),
    f"{S}/blocks/0/1/0/0/0": (400, "out-of-range"),
    f"{S}/blocks/0/0/3/0/0": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/{HUGE}/0": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/1.0/0": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/NaN/0": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/1e3/0": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/%ff/0": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/%D9%A3/0": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/0": (404, "not-found"),
    f"{S}/blocks/0/0/0/0/0?from=2": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/0/0?from=1&to=1": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/0/0?to=3": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/0/0?from=-1": (400, "out-of-range"),
    f"{S}/blocks/0/0/0/0/0?from=x": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/0/0?from=%ff": (422, "invalid-parameter"),
    f"{S}/blocks/0/0/0/0/0?to=": (422, "invalid-parameter"),
    # index and approximation
    f"{S}/layer-index/0/0/0/1": (400, "out-of-range"),
    f"{S}/layer-index/0/0/3/0": (400, "out-of-range"),
    f"{S}/layer-index/0/0/0/-1": (400, "out-of-range"),
    f"{S}/layer-index/0/0/0/x": (422, "invalid-parameter"),
    f"{S}/approximation/1/0": (400, "out-of-range"),
    f"{S}/approximation/0/7": (400, "out-of-range"),
    f"{S}/approximation/0/0?to=9": (400, "out-of-range"),
    # tiles
    f"{S}/tiles/0/0/6/0.png": (400, "out-of-range"),
    f"{S}/tiles/0/4/0/0.png": (400, "out-of-range"),
    f"{S}/tiles/0/-1/0/0.png": (400, "out-of-range"),
    f"{S}/tiles/0/0/{HUGE}/0.png": (400, "out-of-range"),
    f"{S}/tiles/0/0/1.5/0.png": (422, "invalid-parameter"),
    f"{S}/tiles/0/0/0/0.gif": (422, "invalid-parameter"),
    f"{S}/tiles/0/0/0/0": (404, "not-found"),
    f"{S}/tiles/0/0/0/0.png?layers=0": (400, "out-of-range"),
    f"{S}/tiles/0/0/0/0.png?layers=3": (400, "out-of-range"),
    f"{S}/tiles/0/0/0/0.png?layers=x": (422, "invalid-parameter"),
    # regions
    f"{S}/region": (422, "invalid-parameter"),
    f"{S}/region?x=0&y=0&width=0&height=1": (400, "out-of-range"),
    f"{S}/region?x=0&y=0&width=1&height=-1": (400, "out-of-range"),
    f"{S}/region?x=-1&y=0&width=1&height=1": (400, "out-of-range"),
    f"{S}/region?x=1299&y=0&width=2&height=1": (400, "out-of-range"),
    f"{S}/region?x=NaN&y=0&width=1&height=1": (422, "invalid-parameter"),
    f"{S}/region?x=1.0&y=0&width=1&height=1": (422, "invalid-parameter"),
    f"{S}/region?x=%201&y=0&width=1&height=1": (422, "invalid-parameter"),
    f"{S}/region?x=0&y=0&width={HUGE}&height=1": (400, "out-of-range"),
    f"{REGION}&level=4": (400, "out-of-range"),
    f"{REGION}&level=-1": (400, "out-of-range"),
    f"{REGION}&z=1": (400, "out-of-range"),
    f"{REGION}&layers=0": (400, "out-of-range"),
    f"{REGION}&format=gif": (422, "invalid-parameter"),
    # thumbnails
    f"{API}/slides/visual/thumbnail?max=15": (400, "out-of-range"),
    f"{API}/slides/visual/thumbnail?max=2049": (400, "out-of-range"),
    f"{API}/slides/visual/thumbnail?max=x": (422, "invalid-parameter"),
    f"{API}/slides/visual/thumbnail?format=npy": (422, "invalid-parameter"),
    # jobs and the rest
    f"{API}/jobs/nobody": (404, "unknown-job"),
    f"{API}/jobs/nobody/events": (404, "unknown-job"),
    f"{API}/nothing": (404, "not-found"),
    f"{API}/slides/": (404, "not-found"),
    "/api": (404, "not-found"),
    "/nothing.js": (404, "not-found"),
    f"{API}/uploads": (405, "method-not-allowed"),
    f"{S}/blocks:batch": (405, "method-not-allowed"),
}


@pytest.mark.parametrize(("url", "answer"), GETS.items())
async def test_a_get_that_asks_wrongly_is_refused_clearly_wi30_wi31(
    client: httpx.AsyncClient, world: World, url: str, answer: tuple[int, str]
) -> None:
    response = await client.get(url.replace("{digest}", world.digests["visual"]))
    assert problem(response) == answer


ENTRY = "[0,0,0,0,0,0,1]"
BATCHES = {
    b"": (422, "invalid-parameter"),
    b"{": (422, "invalid-parameter"),
    b"[]": (422, "invalid-parameter"),
    b"null": (422, "invalid-parameter"),
    b"\xff\xfe\xfd": (422, "invalid-parameter"),
    b"[" * 100_000: (422, "invalid-parameter"),
    b'{"blocks": []}': (422, "invalid-parameter"),
    b'{"blocks": {}}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,0,0,0]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,0,0,0,1,0]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,0.0,0,0,1]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,true,0,0,1]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,"0",0,0,1]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,NaN,0,0,1]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,null,0,0,1]]}': (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,' + b"9" * 5000 + b",0,0,1]]}": (422, "invalid-parameter"),
    b'{"blocks": [[0,0,0,' + b"9" * 40 + b",0,0,1]]}": (400, "out-of-range"),
    f'{{"blocks": [{ENTRY}, [0,0,0,6,0,0,1]]}}'.encode(): (400, "out-of-range"),
    f'{{"blocks": [{ENTRY}, [0,0,3,0,0,0,1]]}}'.encode(): (400, "out-of-range"),
    b'{"blocks": [[0,0,0,0,0,1,1]]}': (400, "out-of-range"),
    b'{"blocks": [[0,0,0,0,0,0,3]]}': (400, "out-of-range"),
    b'{"blocks": [[-1,0,0,0,0,0,1]]}': (400, "out-of-range"),
    f'{{"blocks": [{",".join([ENTRY] * 4097)}]}}'.encode(): (413, "too-large"),
    b'{"blocks": [' + b" " * 300_000 + b"]}": (413, "too-large"),
}


@pytest.mark.parametrize(("body", "answer"), BATCHES.items(), ids=range(len(BATCHES)))
async def test_a_batch_is_refused_as_a_whole_before_anything_is_sent_wi17(
    client: httpx.AsyncClient, world: World, body: bytes, answer: tuple[int, str]
) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks:batch"
    assert problem(await client.post(url, content=body)) == answer


OTHERS = {
    ("PATCH", f"{API}/slides/visual", b"{}"): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/visual", b'{"title": ""}'): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/visual", b'{"title": "\\u0000"}'): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/visual", b'{"title": 1}'): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/visual", b'{"title": "x", "id": "y"}'): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/visual", b"{"): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/visual", b"\xff"): (422, "invalid-parameter"),
    ("PATCH", f"{API}/slides/nobody", b'{"title": "x"}'): (404, "unknown-slide"),
    ("DELETE", f"{API}/slides/nobody", b""): (404, "unknown-slide"),
    ("DELETE", f"{API}/slides", b""): (405, "method-not-allowed"),
    ("PUT", f"{API}/slides/visual", b""): (405, "method-not-allowed"),
    ("POST", f"{API}/nothing", b""): (404, "not-found"),
    ("DELETE", f"{API}/jobs/nobody", b""): (404, "unknown-job"),
    ("POST", f"{API}/uploads", b"x"): (422, "invalid-parameter"),
    ("POST", f"{API}/uploads?filename=", b"x"): (422, "invalid-parameter"),
    ("POST", f"{API}/uploads?filename=a&quality=best", b"x"): (422, "invalid-parameter"),
    ("POST", f"{API}/uploads?filename=a&id=a/b", b"x"): (422, "invalid-parameter"),
    ("POST", f"{API}/uploads?filename=a&title=%00", b"x"): (422, "invalid-parameter"),
    ("POST", f"{API}/uploads?filename=a", b""): (422, "unreadable-source"),
}


@pytest.mark.parametrize(("asked", "answer"), OTHERS.items(), ids=range(len(OTHERS)))
async def test_other_methods_are_refused_clearly_too_wi30(
    client: httpx.AsyncClient, asked: tuple[str, str, bytes], answer: tuple[int, str]
) -> None:
    method, url, body = asked
    headers = {"content-type": "application/json"} if method == "PATCH" else {}
    assert problem(await client.request(method, url, content=body, headers=headers)) == answer


async def test_the_service_goes_on_after_all_of_it(client: httpx.AsyncClient, world: World) -> None:
    for url in GETS:
        await client.get(url.replace("{digest}", world.digests["visual"]))
    assert (await client.get("/healthz")).status_code == 200
    assert (await client.get(f"{API}/slides/visual/thumbnail")).status_code == 200


EVERY_CALL = [
    ("GET", f"{API}/slides"),
    ("GET", f"{API}/slides/visual"),
    ("PATCH", f"{API}/slides/visual"),
    ("DELETE", f"{API}/slides/visual"),
    ("GET", f"{API}/slides/visual/thumbnail"),
    ("GET", f"{API}/slides/visual/blocks/0/0/0/0/0"),
    ("GET", f"{S}/blocks/0/0/0/0/0"),
    ("GET", f"{S}/layer-index/0/0/0/0"),
    ("GET", f"{S}/approximation/0/0"),
    ("POST", f"{S}/blocks:batch"),
    ("GET", f"{S}/tiles/0/0/0/0.png"),
    ("GET", REGION),
    ("GET", f"{S}/thumbnail"),
    ("GET", f"{API}/jobs"),
    ("GET", f"{API}/jobs/x"),
    ("GET", f"{API}/jobs/x/events"),
    ("DELETE", f"{API}/jobs/x"),
    ("POST", f"{API}/uploads?filename=a"),
]


@pytest.mark.parametrize(("method", "url"), EVERY_CALL)
async def test_every_call_passes_the_one_gate_wi32(world: World, method: str, url: str) -> None:
    asked: list[tuple[Action, str | None]] = []

    def closed(principal: Principal, action: Action, slide: str | None) -> bool:
        asked.append((action, slide))
        return False

    async with running_client(world.store, gate=closed) as client:
        url = url.replace("{digest}", world.digests["visual"])
        body = {"title": "x"} if method == "PATCH" else None
        refusal = (404, "unknown-slide") if "/visual" in url else (403, "forbidden")
        assert problem(await client.request(method, url, json=body)) == refusal
    assert {slide for _, slide in asked} == {"visual" if "/visual" in url else None}


ODD = (
    "9" * 30, "9" * 19, "9223372036854775808", "-9223372036854775809", "-1", "1e3", "NaN", "1.0", "", "٣", "0x1",
)  # fmt: skip


async def test_wi2_an_odd_number_in_any_query_is_refused_and_breaks_nothing(world: World, tmp_path: Path) -> None:
    """Every whole number of every query of every route that reads."""
    asked = 0
    async with running_client(world.copy(tmp_path / "store").store) as client:
        document = (await client.get("/openapi.json")).json()
        for path, operations in document["paths"].items():
            parameters = operations.get("get", {}).get("parameters", [])
            needed = {one["name"]: one.get("example", 1) for one in parameters if one.get("required")}
            named = {name: needed.get(name, "x") for name in re.findall(r"{(\w+)}", path)}
            address = path.format_map({**named, "slide_id": "visual", "digest": world.digests["visual"]})
            for one in parameters:
                kinds = {kind.get("type") for kind in (one["schema"], *one["schema"].get("anyOf", ()))}
                if one["in"] != "query" or "integer" not in kinds:
                    continue
                asked += 1
                for odd in ODD:
                    given = {name: value for name, value in needed.items() if f"{{{name}}}" not in path}
                    answer = await client.get(address, params={**given, one["name"]: odd})
                    assert answer.status_code < 500, (address, one["name"], odd, answer.text)
    assert asked > 10


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (f"{API}/slides/visual", {"GET", "HEAD", "PATCH", "DELETE"}),
        (f"{API}/slides/visual/annotations/a", {"GET", "HEAD", "PUT", "DELETE"}),
        (f"{API}/jobs", {"GET", "HEAD"}),
    ],
)
async def test_a_method_that_is_refused_names_all_of_the_path_wi31(
    client: httpx.AsyncClient, path: str, methods: set[str]
) -> None:
    answer = await client.request("TRACE", path)
    assert problem(answer) == (405, "method-not-allowed")
    assert set(answer.headers["allow"].split(", ")) == methods

"""How often a client may ask (PR10 to PR14)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from limits import parse
from starlette.routing import Route
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from api.access_table import ANYBODY, ROWS
from api.asking import API, problem, running_client
from api.test_server import serving
from service.world import World, running_service
from wavescope.api.app import all_routes, build_app
from wavescope.api.middleware.rate_limits import LEASE, Counter, Rate, client_key
from wavescope.api.middleware.route_classes import RouteClasses
from wavescope.api.routing import rate_class_of
from wavescope.config import Config, Rates
from wavescope.errors import InvalidParameter
from wavescope.service.access.limiter import MEMORY, SharedLimiter

V = "/api/v1/slides/a/v/0123"
CLASSES = {
    ("GET", f"{V}/blocks/0/0/0/1/1"): "blocks",
    ("GET", f"{V}/layer-index/0/0/0/0"): "blocks",
    ("POST", f"{V}/blocks:batch"): "blocks",
    ("GET", "/assets/index.js"): "blocks",
    ("GET", "/slides/a"): "blocks",
    ("GET", f"{V}/tiles/0/0/1/1.jpg"): "pixels",
    ("GET", f"{V}/region"): "pixels",
    ("GET", "/api/v1/slides/a/thumbnail"): "pixels",
    ("GET", "/api/v1/slides"): "reads",
    ("PATCH", "/api/v1/slides/a"): "changes",
    ("POST", "/nowhere"): "changes",
    ("POST", "/api/v1/uploads"): "uploads",
    ("POST", f"{V}/exports"): "exports",
    ("POST", "/api/v1/sessions/ABCD2345/join"): "join",
    ("GET", "/api/v1/sessions/ABCD2345"): "join",
    ("GET", "/healthz"): "probes",
    ("HEAD", "/readyz"): "probes",
    ("GET", "/metrics"): "probes",
    ("GET", "/api/v1/storage"): "reads",
}
STRANGE = "/api/v1/sessions/00000000000000000000000000000000/live"


ROUTES: list[Route] = [route for route in all_routes() if isinstance(route, Route)]


@pytest.fixture(scope="module")
def classes() -> RouteClasses:
    found = RouteClasses()
    found.read(ROUTES)
    return found


@pytest.mark.parametrize(("asked", "name"), CLASSES.items())
def test_a_request_counts_towards_its_class_pr11(classes: RouteClasses, asked: tuple[str, str], name: str) -> None:
    assert classes.of(*asked) == name


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{sorted(route.methods)[0]} {route.path}")
def test_every_route_counts_towards_the_class_that_it_states_pr11(classes: RouteClasses, route: Route) -> None:
    path = re.sub(r"{\w+}", "0", route.path)
    assert {classes.of(method, path) for method in route.methods or ()} == {rate_class_of(route)}


async def test_what_a_route_does_and_the_class_that_it_states_agree_pr11(client: httpx.AsyncClient) -> None:
    """Forgetting to state the class of a route fails here: decoded pictures are pixels, stored bytes blocks, and an
    answer to anybody that reveals whether a secret was right is counted with its failures."""
    paths = (await client.get("/openapi.json")).json()["paths"]
    named = {(method, route.path): rate_class_of(route) for route in ROUTES for method in route.methods or ()}
    for (method, path), operation in (((m.upper(), p), o) for p, ops in paths.items() for m, o in ops.items()):
        media = [kind for answer in operation["responses"].values() for kind in answer.get("content", ())]
        name = named.get((method, path))
        if any(kind.startswith("image/") for kind in media):
            assert name == ("reads" if path.endswith("/file") else "pixels"), (method, path)  # a file is made already
        if any(kind.startswith("application/vnd.wavescope") for kind in media):
            assert name == "blocks", (method, path)
        if method != "GET" and "202" in operation["responses"]:
            assert name in ("uploads", "exports"), (method, path)
    for (method, path), row in ROWS.items():
        if row.outcome == ANYBODY and set(row.passed) & {"wrong-credentials", "unknown-link"}:
            assert named[method, path] == "sign_in", (method, path)


async def test_more_than_allowed_is_refused_with_the_time_to_wait_and_others_are_not_pr10(world: World) -> None:
    rates = Rates(rate_reads="3 per hour")
    async with running_client(world.store, rate_limits=True, open_to_all=True, rates=rates) as client:
        answers = [await client.get(f"{API}/slides") for _ in range(4)]
        assert [answer.status_code for answer in answers[:3]] == [200] * 3
        assert problem(answers[3]) == (429, "too-many-requests")
        assert 1 <= int(answers[3].headers["retry-after"]) <= 3600
        assert answers[3].json()["seconds"] == int(answers[3].headers["retry-after"])
        assert answers[3].headers["x-content-type-options"] == "nosniff"
        assert (await client.get("/healthz")).status_code == 200
        metrics = (await client.get("/metrics")).text
        assert 'status="429"' in metrics


async def test_blocks_are_counted_by_the_handful_and_not_let_through_beyond_pr12(world: World) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0"
    rates = Rates(rate_blocks=f"{2 * LEASE} per hour")
    async with running_client(world.store, rate_limits=True, open_to_all=True, rates=rates) as client:
        statuses = [(await client.get(url)).status_code for _ in range(2 * LEASE + 2)]
    assert statuses == [200] * (2 * LEASE) + [429] * 2


async def test_probes_are_answered_whatever_else_their_address_asks_pr11(world: World) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0"
    rates = Rates(**dict.fromkeys(Rates.__dataclass_fields__, "1 per hour"))
    async with running_client(world.store, rate_limits=True, open_to_all=True, rates=rates) as client:
        assert [(await client.get(url)).status_code for _ in range(3)][-1] == 429
        for path in ("/healthz", "/readyz", "/metrics"):
            assert [(await client.get(path)).status_code for _ in range(3)] == [200] * 3


async def test_only_failures_close_the_door_of_sessions_pr13(world: World) -> None:
    rates = Rates(rate_join_failures="2 per hour")
    async with running_client(world.store, rate_limits=True, open_to_all=True, rates=rates) as client:
        statuses = [(await client.get(f"{API}/sessions/AAAA222{n}")).status_code for n in range(4)]
    assert statuses == [404, 404, 429, 429]


async def knock(port: int) -> int | str:
    """The close code of a stranger's connection to a live session, or the problem that its handshake is."""
    try:
        async with connect(f"ws://127.0.0.1:{port}{STRANGE}") as socket:
            await socket.wait_closed()
            return int(socket.close_code or 0)
    except InvalidStatus as refused:
        answer = refused.response
        return f"{answer.status_code} {json.loads(answer.body or b'')['type']} {'retry-after' in answer.headers}"


@pytest.mark.parametrize("rates", [Rates(rate_live="2 per hour"), Rates(rate_live_failures="2 per hour")])
async def test_strangers_handshakes_are_counted_pr11_pr13(world: World, tmp_path: Path, rates: Rates) -> None:
    store = world.copy(tmp_path / "store").store
    async with serving(store, rate_limits=True, open_to_all=True, rates=rates) as served:
        assert [await knock(served.port) for _ in range(4)] == [
            4401,
            4401,
            *["429 /problems/too-many-requests True"] * 2,
        ]
        assert (await served.client.get("/healthz")).status_code == 200


async def test_in_one_user_mode_nothing_is_counted_pr10(world: World) -> None:
    async with running_client(world.store, rates=Rates(rate_reads="1 per hour")) as client:
        assert [(await client.get(f"{API}/slides")).status_code for _ in range(3)] == [200] * 3


async def asked_as(world: World, trusted: tuple[str, ...], peer: str, forwarded: list[str]) -> list[int]:
    """Statuses of one request per ``X-Forwarded-For``, of two allowed in all."""
    rates = Rates(rate_reads="2 per hour")
    options: dict[str, Any] = {"rate_limits": True, "open_to_all": True, "rates": rates, "trusted_proxies": trusted}
    async with running_service(world.store, **options) as service:
        transport = httpx.ASGITransport(build_app(service), client=(peer, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            headers = [{"x-forwarded-for": value} for value in forwarded]
            return [(await client.get(f"{API}/slides", headers=one)).status_code for one in headers]


async def test_a_header_is_not_believed_unless_a_trusted_proxy_sent_it_pr14(world: World) -> None:
    claimed = ["1.1.1.1", "2.2.2.2", "3.3.3.3"]
    assert await asked_as(world, (), "127.0.0.1", claimed) == [200, 200, 429]
    assert await asked_as(world, ("10.0.0.0/8",), "127.0.0.1", claimed) == [200, 200, 429]
    assert await asked_as(world, ("10.0.0.0/8",), "10.0.0.9", claimed) == [200, 200, 200]
    lied = [
        f"{number}.9.9.9, 7.7.7.7" for number in range(3)
    ]  # what the client wrote stands left of what the proxy saw
    assert await asked_as(world, ("10.0.0.0/8",), "10.0.0.9", lied) == [200, 200, 429]


def test_an_address_of_ipv6_counts_with_its_network_pr14() -> None:
    assert client_key("2001:db8::1") == client_key("2001:db8::ffff") != client_key("2001:db8:0:1::1")
    assert client_key("::ffff:1.2.3.4") == client_key("1.2.3.4") == "1.2.3.4"
    assert client_key("somewhere") == "unknown"


async def test_while_the_shared_storage_does_not_answer_each_process_counts_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limiter = SharedLimiter(MEMORY)
    monkeypatch.setattr(limiter, "fallback", SharedLimiter(MEMORY).limiter)
    counter = Counter(limiter)

    async def gone(*_: object, **__: object) -> bool:
        raise ConnectionError("no route to host")

    for verb in ("hit", "test", "get_window_stats"):
        monkeypatch.setattr(limiter.limiter, verb, gone)
    rate = Rate(parse("1 per hour"), None, 1)
    assert await counter.count(rate, "reads", "a") is None
    assert 1 <= (await counter.count(rate, "reads", "a") or 0) <= 3600


@pytest.mark.parametrize(
    "given", [{"rates": Rates(rate_blocks="often")}, {"rate_storage": "carrier-pigeon://roof"}], ids=["rate", "storage"]
)
async def test_a_setting_without_meaning_is_refused_by_name(world: World, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        async with running_client(world.store, rate_limits=True, open_to_all=True, **given) as client:
            await client.get(f"{API}/slides")


def test_rates_come_from_the_environment() -> None:
    config = Config.from_env({"WAVESCOPE_RATE_JOIN": "5/minute", "WAVESCOPE_TRUSTED_PROXIES": "10.0.0.1, ::1"})
    assert config.rates == Rates(rate_join="5/minute")
    assert config.trusted_proxies == ("10.0.0.1", "::1")

"""GETs that repeat a head are answered on their connection exactly as the application answers them (ED40)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import State

from edge.conftest import Place
from edge.edges import edge, served
from edge.raw_http import Headers, RawConnection, connected, request
from edge.test_edge import BLOCK, later, publish
from wavescope.access.grants import SECONDS

ID = ("x-request-id", "one-for-all-requests")
SIMPLE: list[Headers] = [
    (),
    [("accept", "*/*"), ("user-agent", "a browser"), ("referer", "http://127.0.0.1/slides/visual")],
    [("origin", "http://elsewhere.example")],
    [("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")],
    [("connection", "keep-alive"), ("cache-control", "no-cache")],
    [("x-forwarded-for", "192.0.2.1")],
    [("content-type", "100 %")],
]
OTHER: list[Headers] = [
    [("range", "bytes=0-9")],
    [("range", "bytes=999999999-")],
    [("range", "bytes=0-9"), ("if-range", '"x"')],
    [("if-none-match", "*")],
    [("if-none-match", '"x"')],
    [("expect", "100-continue")],
    [("content-length", "0")],
    [("authorization", "Bearer nonsense")],
]
SIMPLE_TARGETS = ["", "?from=0", "?to=1", "?from=1&to=2", "?from=0&to=1"]
OTHER_TARGETS = ["?to=9", "?from=1&to=1", "?to=1&from=0", "?unknown=1", "?to=x", "?from=%30", "?to=1&to=2", "?", "#a"]
BLOCKS = [BLOCK, "/blocks/0/0/0/0/01", "/blocks/0/0/1/0/0", "/blocks/0/0/0/5/0"]  # the last has only glass
OUTSIDE = ["/blocks/0/0/0/99/0", "/blocks/1/0/0/0/0", "/blocks/0/0/9/0/0", "/blocks/0/0/0/0/-1"]


@dataclass
class Both:
    """The same edge twice: as it is served, and through its application alone. ``direct``: whether each request to the
    first was answered without the application.
    """

    place: Place
    fast: str
    plain: str
    cookie: tuple[str, str]
    direct: list[bool] = field(default_factory=list)

    def watch(self, app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        answer = app.state.repeated_blocks.response

        def noted(*arguments: Any) -> Any:
            made = answer(*arguments)
            self.direct.append(made is not None)
            return made

        monkeypatch.setattr(app.state.repeated_blocks, "response", noted)

    async def compare(self, ways: list[RawConnection], target: str, headers: Headers = (), method: str = "GET") -> bool:
        """Fails unless both answers agree, of two such requests; whether the second was direct."""
        for _ in range(2):
            direct = await self._compare(ways, target, headers, method)
        return direct

    async def _compare(self, ways: list[RawConnection], target: str, headers: Headers, method: str) -> bool:
        self.direct.clear()
        fast, plain = [await way.ask(target, [ID, *headers], method) for way in ways]
        assert fast == plain, (target, headers)
        return any(self.direct)


class Plain:
    """The application, without what answers in its place."""

    def __init__(self, app: Any) -> None:
        self._app, self.state = app, State({"api": app.state.api})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app(scope, receive, send)


@pytest.fixture
async def both(place: Place, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Both]:
    ivan = await place.signed_in("ivan")
    cookie = ("cookie", f"wavescope_sign_in={ivan.cookies['wavescope_sign_in']}")
    for block in BLOCKS:
        assert (await ivan.get(place.version + block)).status_code in (200, 204)
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(served(app)) for app in (place.app, Plain(place.app))]
        found = Both(place, urls[0], urls[1], cookie)
        found.watch(place.app, monkeypatch)
        yield found


@pytest.fixture
async def ways(both: Both) -> AsyncIterator[list[RawConnection]]:
    """A connection to each."""
    async with connected(both.fast) as fast, connected(both.plain) as plain:
        yield [fast, plain]


@pytest.mark.parametrize("public", [False, True])
async def test_simple_requests_are_answered_directly_and_alike_ed40(both: Both, public: bool) -> None:
    if public:
        publish(both.place)
    own = [] if public else [both.cookie]
    for headers in SIMPLE:
        async with connected(both.fast) as fast, connected(both.plain) as plain:
            if public:
                await fast.ask(both.place.version + BLOCK)  # the edge asks for the grant of everyone
            for block in BLOCKS:
                for query in SIMPLE_TARGETS:
                    assert await both.compare([fast, plain], both.place.version + block + query, [*headers, *own])


async def test_all_other_requests_are_left_to_the_application_ed40(both: Both, ways: list[RawConnection]) -> None:
    version = both.place.version
    for headers in OTHER:
        assert not await both.compare(ways, version + BLOCK, [*headers, both.cookie]), headers
    for target in [BLOCK + query for query in OTHER_TARGETS] + OUTSIDE:
        assert not await both.compare(ways, version + target, [both.cookie]), target
    for method in ("HEAD", "POST", "OPTIONS", "DELETE"):
        assert not await both.compare(ways, version + BLOCK, [both.cookie], method)
    assert not await both.compare(ways, version + BLOCK + "/", [both.cookie])
    for path in (version.replace("visual", "other"), version[:-1] + "0", version.replace("v1", "v%31")):
        assert not await both.compare(ways, path + BLOCK, [both.cookie])


@pytest.mark.slow
async def test_names_and_proxies_are_those_that_are_allowed_op10(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = str(both.place.services.origins.first.upstream.url)
    options = {"allowed_hosts": ("127.0.0.1",), "trusted_proxies": ("127.0.0.1",)}
    rows: list[tuple[Headers, bool]] = [
        ((), True),
        ([("host", "127.0.0.1:8000")], True),
        ([("host", "elsewhere.example")], False),
        ([("host", "127.0.0.1"), ("host", "elsewhere.example")], False),
        ([("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https")], True),
        ([("forwarded", "for=192.0.2.1")], True),
    ]
    async with AsyncExitStack() as stack:
        _, app = await stack.enter_async_context(edge(tmp_path / "other", url, **options))
        urls = [await stack.enter_async_context(served(one)) for one in (app, Plain(app))]
        found = Both(both.place, urls[0], urls[1], both.cookie)
        found.watch(app, monkeypatch)
        ways = [await stack.enter_async_context(connected(url)) for url in urls]
        await ways[0].ask(both.place.version + BLOCK, [both.cookie])
        for headers, simple in rows:
            assert await found.compare(ways, both.place.version + BLOCK, [*headers, both.cookie]) is simple


async def test_any_mixture_is_answered_alike_ed40(both: Both, ways: list[RawConnection]) -> None:
    chance, version, direct = random.Random(13), both.place.version, 0
    for _ in range(150):
        headers = [*chance.choice([(), *SIMPLE]), *chance.choice([*[()] * 20, *OTHER]), both.cookie]
        chance.shuffle(headers)
        query = chance.choice(["", "", *SIMPLE_TARGETS, *OTHER_TARGETS])
        target = version + chance.choice([*BLOCKS, *BLOCKS, *OUTSIDE]) + query
        direct += await both.compare(ways, target, headers, chance.choice(["GET"] * 5 + ["HEAD"]))
    assert direct > 10


async def test_connections_that_close_and_old_ones_are_left_to_the_application_ed40(both: Both) -> None:
    for head in ("HTTP/1.1\r\nConnection: close", "HTTP/1.0"):
        answers = []
        for url in (both.fast, both.plain):
            async with connected(url) as way:
                way.writer.write(
                    request(both.place.version + BLOCK, [ID, both.cookie]).replace(b"HTTP/1.1", head.encode())
                )
                answers.append(await way.answer())
        assert answers[0] == answers[1]
        assert answers[0].status == 200
    assert not any(both.direct)


async def test_each_answer_has_an_id_of_its_own_op51(both: Both, ways: list[RawConnection]) -> None:
    answers = [await ways[0].ask(both.place.version + BLOCK, [both.cookie]) for _ in range(4)]
    assert both.direct == [True] * 3
    assert len({answer.value("x-request-id") for answer in answers}) == 4


async def test_a_proxy_may_give_each_request_an_id_op51(both: Both, ways: list[RawConnection]) -> None:
    for number in range(3):
        both.direct.clear()
        sent = [("X-Request-ID", f"number-{number}-of-all"), both.cookie]
        fast, plain = [await way.ask(both.place.version + BLOCK, sent) for way in ways]
        assert fast == plain
        assert fast.value("x-request-id") == f"number-{number}-of-all"
        assert any(both.direct) is (number > 0)
    for strange in ("short", "x" * 200, "not an id", ""):
        answers = [await ways[0].ask(both.place.version + BLOCK, [("x-request-id", strange), both.cookie])]
        assert answers[0].status == 200
        assert len(answers[0].value("x-request-id")) == 32


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        (b"GET", b"PUT"),
        (b"GET ", b"GET  "),
        (b"GET", b"\r\nGET"),
        (b"HTTP/1.1", b"HTTP/1.0"),
        (b"HTTP/1.1\r\n", b"HTTP/1.1\n"),
        (b"HTTP/1.1", b"HTTP/1.1 "),
        (b"Host", b"x: y\r\nHost"),
        (b"wavescope_sign_in=", b"wavescope_sign_in=0"),
        (b"cookie", b"x-cookie"),
        (b"\r\n\r\n", b"\r\ncontent-length: 3\r\n\r\nabc"),
        (b"/blocks/", b"/blocks//blocks/"),
        (b"/blocks/", b"/%62locks/"),
    ],
)
async def test_a_request_that_differs_from_a_known_one_is_read_by_the_parser_ed40(
    both: Both, ways: list[RawConnection], change: tuple[bytes, bytes]
) -> None:
    known = request(both.place.version + BLOCK, [ID, both.cookie])
    other = known.replace(*change, 1)
    assert other != known
    assert await both.compare(ways, both.place.version + BLOCK, [both.cookie])
    both.direct.clear()
    answers = []
    for way in ways:
        way.writer.write(other)
        answers.append(await way.answer())
    assert answers[0] == answers[1]
    assert not any(both.direct)


async def test_requests_in_a_row_are_answered_in_their_order_ed40(both: Both, ways: list[RawConnection]) -> None:
    version, paths = both.place.version, [BLOCK, "/blocks/0/0/0/2/2", *BLOCKS, "/tiles/0/0/0/0.png", *BLOCKS * 40]
    expected = {path: (await ways[1].ask(version + path, [both.cookie])).body for path in set(paths)}
    assert await both.compare(ways, version + BLOCK, [both.cookie])
    for _ in range(2):
        ways[0].writer.write(b"".join(request(version + path, [both.cookie]) for path in paths))
        for path in paths:
            assert (await ways[0].answer()).body == expected[path]


async def test_requests_may_come_in_pieces_ed40(both: Both, ways: list[RawConnection]) -> None:
    whole = request(both.place.version + BLOCK, [ID, both.cookie])
    expected = await ways[1].ask(both.place.version + BLOCK, [ID, both.cookie])
    fast = ways[0]
    for cut in (1, 3, 40, len(whole) - 3, len(whole) - 1):
        for data in (whole[:cut], whole[cut:] + whole + whole[:cut], whole[cut:]):
            fast.writer.write(data)
            await fast.writer.drain()
            await asyncio.sleep(0)
        assert [await fast.answer() for _ in range(3)] == [expected] * 3
    strange = f"GET {both.place.version}{BLOCK} HTTP/1.1\r\nHost: 127.0.0.1\r\nx: "  # whose value looks like a request
    fast.writer.write(strange.encode())
    await fast.writer.drain()
    fast.writer.write(request(both.place.version + BLOCK).replace(b"GET", b"GET", 1))
    assert (await fast.answer()).status == 404
    assert (await fast.ask(both.place.version + BLOCK)).status == 404  # without a cookie


@pytest.mark.parametrize("way", ["in a body", "in a header", "in a row"])
async def test_nobody_makes_the_answer_to_other_header_lines_be_remembered_ed40(both: Both, way: str) -> None:
    target = both.place.version + BLOCK
    others, own = request(target), request(target, [both.cookie])
    begin = own.removesuffix(b"\r\n")
    pieces = {
        "in a body": [begin + b"content-length: %d\r\n\r\n" % len(others) + others + own],
        "in a header": [begin + b"x: ", others],
        "in a row": [own + others],
    }
    async with connected(both.fast) as fast:
        for _ in range(3):
            for piece in pieces[way]:
                fast.writer.write(piece)
                await fast.writer.drain()
                await asyncio.sleep(0.05)
            statuses = [(await fast.answer()).status for _ in range(1 if way == "in a header" else 2)]
            assert statuses == {"in a body": [200, 200], "in a header": [200], "in a row": [200, 404]}[way]
            assert (await fast.ask(target)).status == 404


async def test_rights_are_those_of_each_asker_ed20(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    place = both.place
    olga = (await place.signed_in("olga")).cookies["wavescope_sign_in"]
    hers = ("cookie", f"wavescope_sign_in={olga}")
    async with connected(both.fast) as way:
        for cookies, status in (([both.cookie], 200), ([hers], 404), ([], 404), ([both.cookie], 200)):
            assert (await way.ask(place.version + BLOCK, cookies)).status == status
    publish(place)  # and withdrawn below
    async with connected(both.fast) as way:
        for module in ("grants", "slides"):
            monkeypatch.setattr(f"wavescope.edge.{module}.monotonic", later(SECONDS))
        assert (await way.ask(place.version + BLOCK, [hers])).status == 200


async def test_a_grant_that_ended_is_asked_for_again_ed20(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    place = both.place
    async with connected(both.fast) as way:
        for _ in range(2):
            assert (await way.ask(place.version + BLOCK, [both.cookie])).status == 200
        assert both.direct == [True]
        await place.stop()
        for module in ("grants", "slides"):
            monkeypatch.setattr(f"wavescope.edge.{module}.monotonic", later(SECONDS))
        assert (await way.ask(place.version + BLOCK, [both.cookie])).status == 503
        assert both.direct == [True, False]


async def test_both_ways_count_alike_ed40(both: Both, ways: list[RawConnection]) -> None:
    def counts() -> list[Any]:
        place, metrics = both.place, both.place.app.state.api.metrics
        requests = {key: (one.count, one.bytes) for key, one in metrics.requests.items()}
        cached, reads = place.services.cached.counts, place.services.blocks._reads["block"]  # type: ignore[attr-defined]
        blocks = (metrics.blocks, metrics.block_bytes, metrics.empty_blocks, metrics.in_progress)
        return [requests, blocks, (cached.memory_hits, cached.hit_bytes, cached.misses), (reads.count, reads.bytes)]

    def added(before: list[Any], after: list[Any]) -> list[Any]:
        old, new = before[0], after[0]
        requests = {key: tuple(b - a for a, b in zip(old.get(key, (0, 0)), new[key], strict=True)) for key in new}
        changed = {key: value for key, value in requests.items() if any(value)}
        return [
            changed,
            *([b - a for a, b in zip(*pair, strict=True)] for pair in zip(before[1:], after[1:], strict=True)),
        ]

    found = []
    for way in ways:
        for block in BLOCKS:
            await way.ask(both.place.version + block, [both.cookie])
        both.direct.clear()
        before = counts()
        for block in BLOCKS:
            await way.ask(both.place.version + block, [both.cookie])
        assert both.direct == [True] * (len(BLOCKS) if way is ways[0] else 0)
        await way.ask("/healthz")  # the application has counted what came before
        found.append(added(before, counts()))
    assert found[0] == found[1]


async def test_a_head_that_is_passed_on_leaves_its_connection_open_pr17(both: Both, ways: list[RawConnection]) -> None:
    for path in ("/api/v1/slides", "/none", "/api/v1/slides/visual"):
        assert not await both.compare(ways, path, [both.cookie], "HEAD")
    assert await both.compare(ways, both.place.version + BLOCK, [both.cookie])

"""Requests that a proxy passes on: who is trusted, who is refused, who is counted (OP10 to OP15)."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from api.accounts import PASSWORD, PEOPLE, Clinic, clinic
from api.asking import API, problem, running_client
from service.world import World, running_service
from wavescope.api.app import build_app
from wavescope.api.middleware.forwarding import claimed_client
from wavescope.config import Rates

FORWARDING = {
    "Forwarded": "for=192.0.2.1",
    "X-Forwarded-For": "192.0.2.1",
    "X-Forwarded-Host": "slides.example.org",
    "X-Forwarded-Proto": "https",
    "X-Real-IP": "192.0.2.1",
    "Via": "1.1 proxy",
}


@pytest.mark.parametrize("name", FORWARDING)
@pytest.mark.parametrize("trusted", [(), ("127.0.0.1",)])
async def test_without_accounts_a_request_from_a_proxy_is_refused_with_the_cure_op10(
    world: World, name: str, trusted: tuple[str, ...]
) -> None:
    async with running_client(world.store, trusted_proxies=trusted) as client:
        headers = {name: FORWARDING[name]}
        for method, path in (("POST", f"{API}/uploads?filename=a.svs"), ("GET", f"{API}/slides"), ("GET", "/")):
            answer = await client.request(method, path, headers=headers)
            assert problem(answer) == (403, "forbidden")
            assert "WAVESCOPE_ACCESS=accounts" in answer.json()["detail"]
            assert "WAVESCOPE_OPEN_TO_ALL=1" in answer.json()["detail"]
        assert (await client.get("/readyz", headers=headers)).status_code == 200
        assert (await client.get(f"{API}/slides")).status_code == 200


async def test_open_to_all_it_answers_behind_a_proxy_and_warns_once_op10_op11(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "wavescope.api.middleware.forwarding"):
        async with running_client(world.store, open_to_all=True) as client:
            for _ in range(3):
                answer = await client.get(f"{API}/slides", headers={"x-forwarded-for": "192.0.2.1"})
                assert answer.status_code == 200
    assert [
        (record.getMessage().count("WAVESCOPE_TRUSTED_PROXIES"), record.__dict__["proxy"]) for record in caplog.records
    ] == [(1, "127.0.0.1")]


async def test_of_a_trusted_proxy_there_is_no_warning_op11(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "wavescope.api.middleware.forwarding"):
        async with running_client(world.store, open_to_all=True, trusted_proxies=("127.0.0.0/8",)) as client:
            assert (await client.get(f"{API}/slides", headers={"x-forwarded-for": "192.0.2.1"})).status_code == 200
    assert caplog.records == []


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store, rate_limits=True, rates=Rates(rate_sign_in_failures="10 per minute")) as opened:
        yield opened


async def sign_in(client: httpx.AsyncClient, name: str, password: str, address: str = "") -> int:
    """The status of an attempt, through a proxy if ``address`` is what it states."""
    headers = {"x-forwarded-for": address} if address else {}
    body = {"name": name, "password": password}
    return (await client.post(f"{API}/sign-in", json=body, headers=headers)).status_code


async def test_behind_an_unknown_proxy_one_that_guesses_locks_out_itself_alone_op12(site: Clinic) -> None:
    client = site.client()
    attempts = [await sign_in(client, "ivan", "wrong password", "198.51.100.7") for _ in range(12)]
    assert attempts == [401] * 10 + [429] * 2
    assert await sign_in(client, "olga", PASSWORD, "198.51.100.8") == 200
    assert await sign_in(client, "olga", PASSWORD, "198.51.100.7") == 429


async def test_one_that_invents_addresses_has_a_limit_too_op12(damaged: World) -> None:
    rates = Rates(rate_sign_in_failures="1 per hour", rate_account_failures="")
    async with clinic(damaged.store, rate_limits=True, rates=rates) as site:
        client = site.client()
        attempts = [await sign_in(client, "ivan", "wrong password", f"198.51.100.{n}") for n in range(22)]
    assert attempts == [401] * 20 + [429] * 2


@pytest.mark.slow
async def test_a_lecture_hall_behind_one_address_signs_in_pr13(damaged: World) -> None:
    hall = "203.0.113.9"
    async with clinic(damaged.store, rate_limits=True, trusted_proxies=("127.0.0.1",)) as site:
        client = site.client()
        names = list(PEOPLE)
        mistyped = [await sign_in(client, names[n % len(names)], "wrong password", hall) for n in range(20)]
        assert mistyped == [401] * 20
        assert [await sign_in(client, names[n % len(names)], PASSWORD, hall) for n in range(80)] == [200] * 80


async def test_one_account_cannot_be_guessed_from_many_addresses_op15(damaged: World) -> None:
    rates = Rates(rate_account_failures="3 per hour")
    options: dict[str, Any] = {"trusted_proxies": ("127.0.0.1",), "rates": rates, "rate_limits": True}
    async with clinic(damaged.store, **options) as site:
        client = site.client()
        assert await sign_in(client, "ivan", PASSWORD, "203.0.113.9") == 200
        attempts = [await sign_in(client, "IVAN", "wrong password", f"198.51.100.{n}") for n in range(5)]
        assert attempts == [401] * 3 + [429] * 2
        assert await sign_in(client, "ivan", PASSWORD, "198.51.100.99") == 429  # closed to other addresses
        assert await sign_in(client, "ivan", PASSWORD, "203.0.113.9") == 200  # the user's own is open
        assert await sign_in(client, "olga", PASSWORD, "198.51.100.1") == 200  # and so are other accounts
        nobody = [await sign_in(client, "nobody", "wrong password", f"198.51.100.{n}") for n in range(5)]
        assert nobody == attempts
        own = [await sign_in(client, "ivan", "wrong password", "203.0.113.9") for _ in range(4)]
        assert own == [401] * 3 + [429]


async def test_a_live_session_without_upgrade_is_426_op14(world: World) -> None:
    async with running_client(world.store) as client:
        answer = await client.get(f"{API}/sessions/0123/live")
        assert problem(answer) == (426, "upgrade-required")
        assert answer.headers["upgrade"] == "websocket"
        assert "proxy" in answer.json()["detail"]


CLAIMS = [
    ({"x-forwarded-for": "10.0.0.1, 192.0.2.1:4711"}, "192.0.2.1"),
    ({"x-real-ip": "192.0.2.1"}, "192.0.2.1"),
    ({"forwarded": 'for=10.0.0.1, for="[2001:db8::1]:4711";proto=https'}, "2001:db8::1"),
    ({"forwarded": "proto=https"}, ""),
    ({"via": "1.1 proxy"}, ""),
    ({"x-forwarded-for": "2001:db8::1"}, "2001:db8::1"),
]


@pytest.mark.parametrize(("headers", "address"), CLAIMS)
def test_the_nearest_proxy_names_the_client_op12(headers: dict[str, str], address: str) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert claimed_client(raw) == address


async def test_a_websocket_from_a_proxy_is_refused_without_accounts_op10(world: World) -> None:
    async with running_service(world.store) as service:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        scope = {"type": "websocket", "path": f"{API}/sessions/0/live", "headers": [(b"x-forwarded-for", b"1.2.3.4")]}
        await build_app(service)({**scope, "query_string": b"", "client": ("127.0.0.1", 1)}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]

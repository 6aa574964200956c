"""A clinic whose administrator has registered a platform."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from api import asking
from api.accounts import API, PASSWORD, Clinic, clinic
from lti.platform import CLIENT, Platform, running
from service.world import World, make_world

HOST = "https://slides.example"


def problem(answer: httpx.Response) -> str:
    """The name of the problem that is answered."""
    return asking.problem(answer)[1]


@dataclass
class Course:
    """The platform and the service."""

    clinic: Clinic
    platform: Platform

    def browser(self, **headers: str) -> httpx.AsyncClient:
        return self.clinic.client(base_url=HOST, headers=headers)

    async def signed_in(self, name: str) -> httpx.AsyncClient:
        client = self.browser()
        answer = await client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return client

    async def begin(self, browser: httpx.AsyncClient, **others: str) -> dict[str, str]:
        """What the browser brings to the platform."""
        query = {"iss": self.platform.url, "client_id": CLIENT, "login_hint": "77", "target_link_uri": HOST, **others}
        answer = await browser.get(f"{API}/lti/login", params=query)
        assert answer.status_code == 303, answer.text
        where = urlsplit(answer.headers["location"])
        assert f"{where.scheme}://{where.netloc}{where.path}" == f"{self.platform.url}/authorize"
        return {name: values[0] for name, values in parse_qs(where.query).items()}

    async def send(self, browser: httpx.AsyncClient, state: str, token: str) -> httpx.Response:
        """The form that the platform has the browser send."""
        headers = {"origin": self.platform.url, "sec-fetch-site": "cross-site"}
        return await browser.post(f"{API}/lti/launch", data={"state": state, "id_token": token}, headers=headers)

    async def launch(self, browser: httpx.AsyncClient, page: Any = "/slides/visual", **claims: Any) -> httpx.Response:
        """A whole launch."""
        asked = await self.begin(browser)
        token = self.platform.sign({**self.platform.claims(asked["nonce"], HOST + page), **claims})
        return await self.send(browser, asked["state"], token)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Each test serves a copy of it."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture
def platform() -> Iterator[Platform]:
    with running(Platform()) as made:
        yield made


@pytest.fixture
async def course(world: World, tmp_path: Path, platform: Platform) -> AsyncIterator[Course]:
    async with clinic(world.copy(tmp_path / "store").store) as opened:
        made = Course(opened, platform)
        tool = opened.service.lti
        assert tool is not None
        platform.tool_keys = tool.keys.public
        admin = await made.signed_in("adam")
        answer = await admin.post(f"{API}/lti/platforms", json=platform.facts())
        assert answer.status_code == 201, answer.text
        yield made

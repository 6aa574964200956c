"""A service with accounts, and people who are signed in to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher

from service.world import running_service
from wavescope.access.principal import Role
from wavescope.api.app import build_app
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.sharing import SharingTable
from wavescope.service.composition import Services

API = "/api/v1"
PASSWORD = "correct horse battery"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


@dataclass
class Clinic:
    """A running service with accounts: clients by name, ids of users by name."""

    service: Services
    app: Any
    ids: dict[str, str]

    def client(self, **options: Any) -> httpx.AsyncClient:
        """An anonymous user, in a browser on the service's own page."""
        options.setdefault("base_url", "http://127.0.0.1:8000")
        options["headers"] = {"origin": options["base_url"], **options.get("headers", {})}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, **options)

    async def signed_in(self, name: str) -> httpx.AsyncClient:
        """A browser in which this user has signed in."""
        client = self.client()
        answer = await client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return client

    def add(self, name: str, role: Role) -> str:
        """An account with PASSWORD; its id."""
        self.ids[name] = Accounts(self.service.catalog).add(name, name.title(), role, QUICK).id
        return self.ids[name]

    def own(self, slide_id: str, name: str) -> None:
        """Gives a slide to a user."""
        SharingTable(self.service.catalog).own("slide", slide_id, self.ids[name])


PEOPLE: dict[str, Role] = {
    "vera": "viewer",
    "anna": "annotator",
    "ivan": "instructor",
    "olga": "instructor",
    "adam": "admin",
}


@asynccontextmanager
async def clinic(store: Path, **options: Any) -> AsyncIterator[Clinic]:
    """The service on a copy of a store. ``ivan`` owns ``visual``; ``lossless`` and ``planes`` belong to the admins."""
    async with running_service(store, access="accounts", **options) as service:
        opened = Clinic(service, build_app(service), {})
        for name, role in PEOPLE.items():
            opened.add(name, role)
        opened.own("visual", "ivan")
        yield opened

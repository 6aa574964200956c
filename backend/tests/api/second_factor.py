"""Second factors as an app makes their codes, at a time that tests set."""

from __future__ import annotations

import random
from typing import Any

import httpx
import pyotp
import pytest

from api.accounts import API, PASSWORD, Clinic
from wavescope.access import second_factor
from wavescope.service.access import factor_codes

FACTOR = f"{API}/account/second-factor"
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
NOW = 1_800_000_010.0  # in the middle of a step


def install(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Codes are checked at the time of this clock; secrets are the same in each run, none has the code 000000."""
    clock, numbers = Clock(), random.Random(7)
    monkeypatch.setattr(factor_codes, "time", clock)
    monkeypatch.setattr(factor_codes, "new_secret", lambda: "".join(numbers.choices(BASE32, k=32)))
    return clock


class Clock:
    """The time that codes are checked at."""

    def __init__(self) -> None:
        self.now = NOW

    def time(self) -> float:
        return self.now


def code(secret: str, clock: Clock, steps: int = 0) -> str:
    """The code of the step at the time of the clock, or of one ``steps`` later."""
    return pyotp.TOTP(secret).at(int(clock.now), counter_offset=steps)


async def turned_on(client: httpx.AsyncClient, clock: Clock) -> tuple[str, list[str]]:
    """The secret and the recovery codes of a second factor that is set up now."""
    begun = await client.post(FACTOR, json={"password": PASSWORD})
    assert begun.status_code == 200, begun.text
    secret = begun.json()["secret"]
    confirmed = await client.post(f"{FACTOR}/confirm", json={"code": code(secret, clock)})
    assert confirmed.status_code == 200, confirmed.text
    clock.now += second_factor.PERIOD  # the code of this step is used
    return secret, confirmed.json()["recovery_codes"]


async def enter(site: Clinic, name: str = "ivan", **more: Any) -> httpx.Response:
    """A sign-in from a browser without cookies."""
    return await site.client().post(f"{API}/sign-in", json={"name": name, "password": PASSWORD, **more})

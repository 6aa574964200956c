"""Second factors: set up, signed in with, required, reset (AC53 to AC59)."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest

from api.accounts import API, PASSWORD, Clinic, clinic
from api.asking import problem
from service.world import World
from wavescope.access import second_factor
from wavescope.config.rates import Rates
from wavescope.service.access import factor_codes

FACTOR = f"{API}/account/second-factor"
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
NOW = 1_800_000_010.0  # in the middle of a step


class Clock:
    """The time that codes are checked at."""

    def __init__(self) -> None:
        self.now = NOW

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock, numbers = Clock(), random.Random(7)
    monkeypatch.setattr(factor_codes, "time", clock)
    monkeypatch.setattr(factor_codes, "new_secret", lambda: "".join(numbers.choices(BASE32, k=32)))  # not of 000000
    return clock


@pytest.fixture
async def site(damaged: World, clock: Clock) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


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


async def test_it_is_set_up_with_the_password_and_a_code_ac53(site: Clinic, clock: Clock) -> None:
    here, there = await site.signed_in("ivan"), await site.signed_in("ivan")
    nothing = {"active": False, "since": None, "recovery_codes": 0, "required": False}
    assert (await here.get(FACTOR)).json() == nothing
    assert problem(await here.post(FACTOR, json={"password": "wrong"})) == (401, "wrong-credentials")
    begun = (await here.post(FACTOR, json={"password": PASSWORD})).json()
    read = pyotp.parse_uri(begun["uri"])
    assert (read.secret, read.name, read.issuer) == (begun["secret"], "ivan", "Wavescope")
    assert (await here.get(FACTOR)).json() == nothing
    assert (await enter(site)).status_code == 200  # not in use yet
    assert problem(await here.post(f"{FACTOR}/confirm", json={"code": "000000"})) == (401, "wrong-code")
    confirmed = await here.post(f"{FACTOR}/confirm", json={"code": code(begun["secret"], clock)})
    assert len(set(confirmed.json()["recovery_codes"])) == 10
    assert confirmed.headers["cache-control"] == "no-store"
    assert problem(await there.get(f"{API}/slides/visual")) == (401, "credentials-expired")
    state = (await here.get(FACTOR)).json()
    assert (state["active"], state["recovery_codes"]) == (True, 10)


async def test_a_sign_in_needs_a_code_after_the_right_password_ac54(site: Clinic, clock: Clock) -> None:
    secret, _ = await turned_on(await site.signed_in("ivan"), clock)
    answer = await enter(site)
    assert problem(answer) == (422, "second-factor-required")
    assert not answer.cookies
    assert problem(await enter(site, password="wrong", code=code(secret, clock))) == (401, "wrong-credentials")
    spaced = code(secret, clock)[:3] + " " + code(secret, clock)[3:]
    entered = await enter(site, code=spaced)
    assert (entered.status_code, entered.json()["recovery_codes"]) == (200, None)
    assert "wavescope_sign_in" in entered.cookies


async def test_no_code_is_valid_twice_nor_an_earlier_one_after_it_ac54(site: Clinic, clock: Clock) -> None:
    secret, _ = await turned_on(await site.signed_in("ivan"), clock)
    clock.now += second_factor.PERIOD
    present, earlier = code(secret, clock), code(secret, clock, -1)
    assert (await enter(site, code=present)).status_code == 200
    for used in (present, earlier):
        assert problem(await enter(site, code=used)) == (401, "wrong-code")
    assert (await enter(site, code=code(secret, clock, 1))).status_code == 200


async def test_the_code_that_set_it_up_is_used_ac54(site: Clinic, clock: Clock) -> None:
    client = await site.signed_in("ivan")
    secret, _ = await turned_on(client, clock)
    assert problem(await enter(site, code=code(secret, clock, -1))) == (401, "wrong-code")


@pytest.mark.parametrize(("steps", "status"), [(-2, 401), (-1, 200), (0, 200), (1, 200), (2, 401)])
async def test_the_clocks_may_differ_by_one_step_ac54(site: Clinic, clock: Clock, steps: int, status: int) -> None:
    secret, _ = await turned_on(await site.signed_in("ivan"), clock)
    clock.now += 10 * second_factor.PERIOD
    assert (await enter(site, code=code(secret, clock, steps))).status_code == status


async def test_a_recovery_code_replaces_a_code_once_ac54(site: Clinic, clock: Clock) -> None:
    client = await site.signed_in("ivan")
    _, recovery = await turned_on(client, clock)
    typed = recovery[3].replace("-", " ").upper()
    assert (await enter(site, code=typed)).status_code == 200
    assert problem(await enter(site, code=recovery[3])) == (401, "wrong-code")
    assert (await client.get(FACTOR)).json()["recovery_codes"] == 9


async def test_a_first_password_is_replaced_without_wasting_the_code_ac51_ac54(site: Clinic, clock: Clock) -> None:
    secret, _ = await turned_on(await site.signed_in("ivan"), clock)
    admin = await site.signed_in("adam")
    await admin.patch(f"{API}/users/{site.ids['ivan']}", json={"must_change": True})
    entered = {"code": code(secret, clock)}
    assert problem(await enter(site, **entered)) == (403, "password-change-required")
    assert problem(await enter(site, new_password="short", **entered)) == (422, "invalid-parameter")
    assert problem(await enter(site, new_password="my own long one")) == (422, "second-factor-required")
    assert (await enter(site, new_password="my own long one", **entered)).status_code == 200


async def test_wrong_codes_close_the_account_as_wrong_passwords_do_ac55(damaged: World, clock: Clock) -> None:
    rates = Rates(rate_sign_in_failures="", rate_account_failures="3 per hour")
    async with clinic(damaged.store, rate_limits=True, rates=rates) as site:
        client = await site.signed_in("ivan")
        secret, _ = await turned_on(client, clock)
        wrong = await client.put(f"{API}/account/password", json={"old": PASSWORD, "new": "a" * 12, "code": "000000"})
        assert problem(wrong) == (401, "wrong-code")
        wrong = await client.post(f"{FACTOR}/turn-off", json={"password": "wrong"})
        assert problem(wrong) == (401, "wrong-credentials")
        assert problem(await enter(site, code="000000")) == (401, "wrong-code")
        assert problem(await enter(site, code=code(secret, clock))) == (429, "too-many-requests")
        assert problem(await client.post(f"{FACTOR}/confirm", json={"code": "1"})) == (429, "too-many-requests")


async def test_wrong_codes_count_for_the_client_and_steps_do_not_ac55(damaged: World, clock: Clock) -> None:
    rates = Rates(rate_sign_in_failures="2 per hour", rate_account_failures="")
    async with clinic(damaged.store, rate_limits=True, rates=rates) as site:
        await turned_on(await site.signed_in("ivan"), clock)
        for _ in range(4):
            assert problem(await enter(site)) == (422, "second-factor-required")
        for _ in range(2):
            assert problem(await enter(site, code="000000")) == (401, "wrong-code")
        assert problem(await enter(site)) == (429, "too-many-requests")


@pytest.mark.parametrize(("who", "names"), [("admins", {"adam"}), ("all", {"adam", "vera"})])
async def test_it_can_be_required_before_anything_else_ac56(
    damaged: World, clock: Clock, who: str, names: set[str]
) -> None:
    async with clinic(damaged.store, second_factor=who) as site:
        for name in ("adam", "vera"):
            answer = await enter(site, name)
            if name not in names:
                assert answer.status_code == 200
                setup = await site.client().post(
                    f"{API}/sign-in/second-factor", json={"name": name, "password": PASSWORD}
                )
                assert problem(setup) == (403, "forbidden")
                continue
            assert problem(answer) == (422, "second-factor-setup-required")
            assert problem(await enter(site, name, code="000000")) == (422, "second-factor-setup-required")
            assert not answer.cookies
            wrong = await site.client().post(f"{API}/sign-in/second-factor", json={"name": name, "password": "wrong"})
            assert problem(wrong) == (401, "wrong-credentials")
            setup = await site.client().post(f"{API}/sign-in/second-factor", json={"name": name, "password": PASSWORD})
            secret = setup.json()["secret"]
            assert problem(await enter(site, name, code="000000")) == (401, "wrong-code")
            entered = await enter(site, name, code=code(secret, clock))
            assert (entered.status_code, len(entered.json()["recovery_codes"])) == (200, 10)
            again = await site.client().post(f"{API}/sign-in/second-factor", json={"name": name, "password": PASSWORD})
            assert problem(again) == (422, "second-factor-required")
            clock.now += second_factor.PERIOD
            client = site.client(cookies=entered.cookies)
            off = {"password": PASSWORD, "code": code(secret, clock)}
            assert problem(await client.post(f"{FACTOR}/turn-off", json=off)) == (403, "forbidden")
            assert (await client.get(FACTOR)).json()["required"] is True


async def test_a_sign_in_from_before_it_was_required_is_not_renewed_ac56(damaged: World, clock: Clock) -> None:
    async with clinic(damaged.store, second_factor="admins") as site:
        client = await site.signed_in("ivan")
        assert (await client.post(f"{API}/sign-in/renew")).status_code == 204
        accounts = site.service.accounts._accounts
        accounts.change(site.ids["ivan"], role="admin")
        assert problem(await client.post(f"{API}/sign-in/renew")) == (401, "credentials-expired")


async def test_tokens_need_no_code_and_give_no_way_around_ac57_ac58(site: Clinic, clock: Clock) -> None:
    client = await site.signed_in("adam")
    token = (await client.post(f"{API}/account/tokens", json={"title": "script"})).json()["token"]
    script = site.client(headers={"authorization": f"Bearer {token}"})
    secret, _ = await turned_on(client, clock)
    assert (await script.get(f"{API}/slides/visual")).status_code == 200
    proof = {"password": PASSWORD, "code": code(secret, clock)}
    for path in ("", "/recovery-codes", "/turn-off"):
        assert problem(await script.post(FACTOR + path, json=proof)) == (403, "not-by-token")
    assert problem(await script.post(f"{FACTOR}/confirm", json={"code": "1"})) == (403, "not-by-token")
    reset = await script.delete(f"{API}/users/{site.ids['ivan']}/second-factor")
    assert problem(reset) == (403, "not-by-token")


async def test_what_weakens_it_needs_the_password_and_a_code_ac58(site: Clinic, clock: Clock) -> None:
    client = await site.signed_in("ivan")
    secret, recovery = await turned_on(client, clock)
    for path in ("", "/recovery-codes", "/turn-off"):
        answer = await client.post(FACTOR + path, json={"password": PASSWORD})
        assert problem(answer) == (422, "second-factor-required")
    change = {"old": PASSWORD, "new": "another long one"}
    answer = await client.put(f"{API}/account/password", json=change)
    assert problem(answer) == (422, "second-factor-required")
    proof = {"password": PASSWORD, "code": code(secret, clock)}
    renewed = (await client.post(f"{FACTOR}/recovery-codes", json=proof)).json()["recovery_codes"]
    assert problem(await enter(site, code=recovery[0])) == (401, "wrong-code")
    assert (await enter(site, code=renewed[0])).status_code == 200
    answer = await client.put(f"{API}/account/password", json=change | {"code": renewed[1]})
    assert answer.status_code == 200
    proof = {"password": change["new"], "code": renewed[2]}
    assert (await client.post(f"{FACTOR}/turn-off", json=proof)).status_code == 204
    assert (await enter(site, password=change["new"])).status_code == 200
    assert problem(await client.post(f"{FACTOR}/turn-off", json=proof)) == (409, "no-second-factor")
    assert problem(await client.post(f"{FACTOR}/recovery-codes", json=proof)) == (409, "no-second-factor")


async def test_another_app_takes_over_when_it_is_confirmed_ac53(site: Clinic, clock: Clock) -> None:
    client = await site.signed_in("ivan")
    old, recovery = await turned_on(client, clock)
    begun = await client.post(FACTOR, json={"password": PASSWORD, "code": recovery[0]})
    new = begun.json()["secret"]
    assert problem(await enter(site, code=code(new, clock))) == (401, "wrong-code")
    assert (await enter(site, code=code(old, clock))).status_code == 200
    assert (await client.post(f"{FACTOR}/confirm", json={"code": code(new, clock)})).status_code == 200
    clock.now += second_factor.PERIOD
    for ended in (code(old, clock), recovery[1]):
        assert problem(await enter(site, code=ended)) == (401, "wrong-code")
    assert (await enter(site, code=code(new, clock))).status_code == 200


async def test_an_admin_resets_that_of_others_ac58(site: Clinic, clock: Clock) -> None:
    admin = await site.signed_in("adam")
    await turned_on(await site.signed_in("ivan"), clock)
    listed = {user["name"]: user["second_factor"] for user in (await admin.get(f"{API}/users")).json()["users"]}
    assert (listed["ivan"], listed["vera"]) == (True, False)
    url = f"{API}/users/{site.ids['ivan']}/second-factor"
    assert (await admin.delete(url)).status_code == 204
    assert (await enter(site)).status_code == 200
    assert problem(await admin.delete(url)) == (409, "no-second-factor")
    await turned_on(admin, clock)
    own = await admin.delete(f"{API}/users/{site.ids['adam']}/second-factor")
    assert problem(own) == (403, "forbidden")


async def test_every_act_is_recorded_pr30(site: Clinic, clock: Clock) -> None:
    admin, client = await site.signed_in("adam"), await site.signed_in("ivan")
    secret, _ = await turned_on(client, clock)
    await enter(site, code="000000")
    await client.post(f"{FACTOR}/recovery-codes", json={"password": PASSWORD, "code": "000000"})
    await client.post(f"{FACTOR}/recovery-codes", json={"password": PASSWORD, "code": code(secret, clock)})
    clock.now += second_factor.PERIOD
    await client.post(f"{FACTOR}/turn-off", json={"password": PASSWORD, "code": code(secret, clock)})
    await turned_on(client, clock)
    await admin.delete(f"{API}/users/{site.ids['ivan']}/second-factor")
    await site.service.audit.stop()
    entries = (await admin.get(f"{API}/audit?limit=100")).json()["entries"]
    acts = [(entry["name"], entry["action"]) for entry in reversed(entries)][2:]
    assert acts == [
        ("Ivan", "second factor begun"),
        ("Ivan", "second factor turned on"),
        ("ivan", "sign-in failed"),
        ("Ivan", "proof refused"),
        ("Ivan", "recovery codes made"),
        ("Ivan", "second factor turned off"),
        ("Ivan", "second factor begun"),
        ("Ivan", "second factor turned on"),
        ("Adam", "second factor reset"),
    ]


async def test_no_secret_is_stored_as_it_is_nor_logged_nor_exported_ac59(
    site: Clinic, clock: Clock, damaged: World, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    client = await site.signed_in("ivan")
    secret, recovery = await turned_on(client, clock)
    await enter(site, code=code(secret, clock))
    exported = (await client.get(f"{API}/me/export")).content
    stored = b"".join(path.read_bytes() for path in damaged.store.glob("catalog.sqlite*"))
    logged = "".join(capfd.readouterr()) + caplog.text
    for one in (secret, *recovery, *(one.replace("-", "") for one in recovery)):
        assert one.encode() not in stored + exported
        assert one not in logged
    key = damaged.store / "second-factor-key.json"
    assert key.stat().st_mode & 0o777 == 0o600
    assert secret not in (await client.get(FACTOR)).text


async def test_without_its_key_nobody_is_let_in_ac59(site: Clinic, clock: Clock, damaged: World) -> None:
    secret, recovery = await turned_on(await site.signed_in("ivan"), clock)
    (damaged.store / "second-factor-key.json").unlink()
    for given in (code(secret, clock), recovery[0]):
        assert problem(await enter(site, code=given)) == (503, "unavailable")


def test_recovery_codes_and_secrets_differ_each_time_ac59(tmp_path: Path) -> None:
    codes = [*second_factor.new_recovery_codes(), *second_factor.new_recovery_codes()]
    assert len(set(codes)) == 20
    assert second_factor.recovery_hash("a", codes[0]) != second_factor.recovery_hash("b", codes[0])
    assert len(second_factor.new_secret()) == 32
    assert second_factor.step_of(second_factor.new_secret(), "12345", time.time()) is None

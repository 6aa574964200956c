"""Second factors: set up and signed in with (AC53 to AC55)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pyotp
import pytest

from api.accounts import API, PASSWORD, Clinic, clinic
from api.asking import problem
from api.second_factor import FACTOR, Clock, code, enter, install, turned_on
from service.world import World
from wavescope.access import second_factor
from wavescope.config.rates import Rates


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return install(monkeypatch)


@pytest.fixture
async def site(damaged: World, clock: Clock) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


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

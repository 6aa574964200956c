"""Second factors: required, protected, reset, recorded, secret (AC56 to AC59)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.accounts import API, PASSWORD, Clinic, clinic
from api.asking import problem
from api.second_factor import FACTOR, Clock, code, enter, install, turned_on
from service.world import World, running_service
from wavescope.access import second_factor
from wavescope.api.app import build_app
from wavescope.service.backup import make_backup, restore_backup


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return install(monkeypatch)


@pytest.fixture
async def site(damaged: World, clock: Clock) -> AsyncIterator[Clinic]:
    async with clinic(damaged.without_log().store) as opened:
        yield opened


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
    token = (
        await client.post(f"{API}/account/tokens", json={"title": "script", "scopes": ["read", "accounts"]})
    ).json()["token"]
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


async def test_a_restored_service_knows_the_codes_ac59_pr50(
    site: Clinic, clock: Clock, damaged: World, tmp_path: Path
) -> None:
    secret, _ = await turned_on(await site.signed_in("ivan"), clock)
    target, store = tmp_path / "backup.zip", tmp_path / "restored"
    make_backup(site.service.catalog, damaged.store, target, pixels=False, replace=False)
    restore_backup(target, store, f"sqlite:///{store / 'catalog.sqlite'}", replace=False)
    assert (store / "second-factor-key.json").stat().st_mode & 0o777 == 0o600
    async with running_service(store, access="accounts") as service:
        restored = Clinic(service, build_app(service), {})
        assert problem(await enter(restored)) == (422, "second-factor-required")
        assert (await enter(restored, code=code(secret, clock))).status_code == 200


def test_recovery_codes_and_secrets_differ_each_time_ac59(tmp_path: Path) -> None:
    codes = [*second_factor.new_recovery_codes(), *second_factor.new_recovery_codes()]
    assert len(set(codes)) == 20
    assert second_factor.recovery_hash("a", codes[0]) != second_factor.recovery_hash("b", codes[0])
    assert len(second_factor.new_secret()) == 32
    assert second_factor.step_of(second_factor.new_secret(), "12345", time.time()) is None

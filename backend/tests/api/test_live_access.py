"""Who may be in a session of a service with accounts, what membership opens, and for how long (SE4 to SE8, SE30)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.routing import WebSocketRoute
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from api.access_table import COLUMNS, MESSAGES, SOCKETS
from api.accounts import API, PASSWORD, PEOPLE, Clinic
from api.live_client import LiveClient
from api.parties import Party
from api.test_server import serving
from service.world import World
from wavescope.config import Limits
from wavescope.service.sessions.live_session import LiveSession
from wavescope.sessions.client_messages import CLIENT_MESSAGES

S = {"slides": ["visual"], "nickname": "Ivan"}
SIGNED_IN = {"stranger": "olga", "viewer": "vera", "annotator": "anna", "admin": "adam"}
AT_ONCE = 10.0  # seconds that a test waits; by itself a session checks every 15 s


@dataclass
class Site:
    """A served clinic, and a browser for each of its people."""

    clinic: Clinic
    port: int
    app: Any
    browsers: dict[str, httpx.AsyncClient] = field(default_factory=dict)

    async def browser(self, name: str = "") -> httpx.AsyncClient:
        """A user's browser; anonymous without a name."""
        origin = f"http://127.0.0.1:{self.port}"
        client = self.browsers[name or str(len(self.browsers))] = httpx.AsyncClient(
            base_url=origin + API, headers={"origin": origin}, timeout=20
        )
        if name:
            answer = await client.post("/sign-in", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 200, answer.text
        return client

    @asynccontextmanager
    async def live(self, browser: httpx.AsyncClient, session_id: str) -> AsyncIterator[LiveClient]:
        """The live connection of a browser, which has said nothing."""
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        url = f"ws://127.0.0.1:{self.port}{API}/sessions/{session_id}/live"
        headers = {"Cookie": cookies, **bearer_of(browser), "Origin": f"http://127.0.0.1:{self.port}"}
        async with connect(url, additional_headers=headers, close_timeout=1) as socket:
            yield LiveClient(socket)


def bearer_of(browser: httpx.AsyncClient) -> dict[str, str]:
    """The token that a script sends instead of cookies."""
    token = browser.headers.get("authorization")
    return {"Authorization": token} if token else {}


@pytest.fixture
async def site(world: World, tmp_path: Path) -> AsyncIterator[Site]:
    async with serving(world.copy(tmp_path / "store").store, access="accounts") as served:
        opened = Clinic(served.service, None, {})
        for name, role in PEOPLE.items():
            opened.add(name, role)
        opened.own("visual", "ivan")
        built = Site(opened, served.port, served.server.config.app)
        yield built
        for browser in built.browsers.values():
            await browser.aclose()


async def test_every_websocket_and_message_has_a_row_ac13(site: Site) -> None:
    sockets = {route.path for route in site.app.routes if isinstance(route, WebSocketRoute)}
    assert sockets == SOCKETS
    assert MESSAGES.keys() == set(CLIENT_MESSAGES)


async def everybody(site: Site, ivan: httpx.AsyncClient) -> dict[str, httpx.AsyncClient]:
    """A browser for every column of the table of routes but the owner's and the guest's, who is in a session."""
    browsers = {column: await site.browser(name) for column, name in SIGNED_IN.items()}
    for column in ("anonymous", "link", "expired"):
        browsers[column] = await site.browser()
        if column != "anonymous":
            link = (await ivan.post("/slides/visual/links", json={})).json()
            assert (await browsers[column].post("/links/open", json={"token": link["token"]})).is_success
            if column == "expired":
                await ivan.delete(f"/links/{link['id']}")
    assert browsers.keys() == set(COLUMNS) - {"owner", "guest"}
    return browsers


def example(kind: str, me: str) -> dict[str, Any]:
    """A message of this type of the member ``me``."""
    return dict(json.loads(json.dumps(MESSAGES[kind].members).replace("ME", me)))


async def outcome(client: LiveClient, session: LiveSession, kind: str) -> str:
    """What comes of a message that is sent by a member."""
    members = example(kind, client.you)
    if "ref" in members:
        del members["ref"]
        error = (await client.do(kind, **members))["error"]
        return str(error["code"]) if error else "+"
    await client.send({"type": kind, **members})
    if kind == "hello":
        return str((await client.closed())[0])
    await client.send({"type": "ping", "t": 2})
    await client.until("pong", t=2)
    shown: dict[str, tuple[Any, ...]] = {"view": session.state.views, "cursor": session.state.cursors}
    return "+" if kind not in shown or any(one.by == client.you for one in shown[kind]) else "dropped"


@pytest.mark.slow
async def test_who_may_send_what_as_a_member_and_as_none_ac13(site: Site) -> None:
    ivan = await site.browser("ivan")
    made = (await ivan.post("/sessions", json=S)).json()
    browsers = await everybody(site, ivan)
    for kind in MESSAGES:  # each is nobody to the session, by whatever message
        for column, browser in browsers.items():
            async with site.live(browser, made["id"]) as nobody:
                with contextlib.suppress(ConnectionClosed):
                    await nobody.send({"type": kind, **example(kind, "m1")})
                answered = await nobody.closed(), nobody.seen
                assert answered == ((4401, "not a member of such a session"), []), column
    session = await site.clinic.service.sessions.open(made["id"])
    order = [*(kind for kind in MESSAGES if kind not in ("hello", "leave", "end")), "end", "leave"]
    browsers["owner"] = ivan
    for column, browser in browsers.items():  # a member may the same, whatever its role; the host more
        if column != "owner":
            await browser.post(f"/sessions/{made['code']}/join", json={"nickname": column})
        async with site.live(browser, made["id"]) as member:
            await member.hello()
            found = {"hello": await outcome(member, session, "hello")}
        async with site.live(browser, made["id"]) as member:
            await member.hello()
            for kind in order[:-1] if column == "owner" else order:  # the host has ended the session
                found[kind] = await outcome(member, session, kind)
        expected = {
            kind: row.host if column == "owner" else row.member for kind, row in MESSAGES.items() if kind in found
        }
        assert found == expected, column


async def test_a_member_sees_the_slides_of_the_session_while_it_lasts_se8(site: Site) -> None:
    ivan, guest, vera = await site.browser("ivan"), await site.browser(), await site.browser("vera")
    made = (await ivan.post("/sessions", json={**S, "guests_annotate": True})).json()
    for browser in (guest, vera):
        assert (await browser.get("/slides/visual")).status_code == 404
        joined = await browser.post(f"/sessions/{made['code']}/join", json={"nickname": "Someone"})
        assert joined.status_code == 200
        assert (await browser.get("/slides/visual")).status_code == 200
        assert (await browser.get("/slides/planes")).status_code == 404
    change = {"changes": [{"id": "a1", "revision": 0, "content": {
        "kind": "point", "geometry": {"type": "Point", "coordinates": [3, 4]}}}]}  # fmt: skip
    saved = await guest.post("/slides/visual/annotations:batch", json=change)
    assert saved.json()["outcomes"][0]["annotation"]["author"] == "Someone (guest)"
    async with site.live(ivan, made["id"]) as owner:
        await owner.hello()
        await owner.do("settings", settings={"everyone_steers": False, "guests_annotate": False, "locked": False})
        refused = await guest.post("/slides/visual/annotations:batch", json={"changes": []})
        assert refused.status_code == 401
        await owner.do("end")
    for browser in (guest, vera):
        assert (await browser.get("/slides/visual")).status_code == 404


async def test_a_slide_is_delegated_only_while_its_host_may_show_it_se8(site: Site) -> None:
    ivan, olga, guest = await site.browser("ivan"), await site.browser("olga"), await site.browser()

    async def share(*shares: dict[str, str]) -> None:
        given = await ivan.put("/slides/visual/sharing", json={"public": False, "shares": list(shares)})
        assert given.is_success, given.text

    async def seen() -> set[int]:
        return {(await browser.get("/slides/visual")).status_code for browser in (olga, guest)}

    with_olga = {"kind": "user", "id": site.clinic.ids["olga"], "right": "view"}
    await share(with_olga)
    code = (await olga.post("/sessions", json={**S, "nickname": "Olga"})).json()["code"]
    await guest.post(f"/sessions/{code}/join", json={"nickname": "Someone"})
    assert await seen() == {200}
    await share()
    assert await seen() == {404}
    await share(with_olga)
    assert await seen() == {200}
    await ivan.post(f"/sessions/{code}/join", json={"nickname": "Ivan"})
    await share()
    assert await seen() == {200}  # a member may still host it


@pytest.mark.slow
async def test_the_tour_of_a_case_that_is_shown_is_seen_by_all_while_it_is_shown_se8(site: Site) -> None:
    ivan, vera, guest = await site.browser("ivan"), await site.browser("vera"), await site.browser()
    case = (await ivan.post("/cases", json={"title": "Course", "slides": ["visual"]})).json()["id"]
    stops = [{"id": f"w{n}", "title": "", "text": "", "slide": "visual", "view": {}} for n in (1, 2)]
    document = {"format": "wavescope-tour", "version": 1, "title": "Round", "waypoints": stops}
    tour = (await ivan.post(f"/tours?case={case}", json=document)).json()["id"]
    made = (await ivan.post("/sessions", json=S)).json()
    for browser in (vera, guest):
        await browser.post(f"/sessions/{made['code']}/join", json={"nickname": "Someone"})

    async def seen() -> list[int]:
        return [(await browser.get(f"/tours/{tour}")).status_code for browser in (vera, guest)]

    async with site.live(ivan, made["id"]) as host:
        await host.hello()

        async def show(step: dict[str, str] | None) -> None:
            done = await host.do("stage", stage={"slide": "visual", "pair": None, "tour": step}, views=[])
            assert done["error"] is None, done

        assert await seen() == [404, 404]
        await show({"id": tour, "waypoint": "w1"})
        assert await seen() == [200, 200]
        generation = site.clinic.service.catalog.generation()
        await show({"id": tour, "waypoint": "w2"})
        assert site.clinic.service.catalog.generation() == generation  # a step changes no rights
        assert len((await guest.get(f"/tours/{tour}")).json()["tour"]["waypoints"]) == 2
        assert (await guest.get(f"/cases/{case}")).status_code == 404
        await show(None)
        assert await seen() == [404, 404]
        await show({"id": tour, "waypoint": "w1"})
        assert await seen() == [200, 200]
    await ivan.post(f"/sessions/{made['id']}/end")
    assert await seen() == [404, 404]


@pytest.mark.parametrize("posed", ["Ivan", " iVAN ", "I.v a\u0301n", "Iv\u0430n", "Olga"])
async def test_nobody_poses_as_an_account_ac63(site: Site, posed: str) -> None:
    ivan, vera, guest = await site.browser("ivan"), await site.browser("vera"), await site.browser()
    made = (await ivan.post("/sessions", json=S)).json()
    for browser in (guest, vera):
        refused = await browser.post(f"/sessions/{made['code']}/join", json={"nickname": posed})
        assert (refused.status_code, refused.json()["type"]) == (409, "/problems/name-taken")
    for browser, name in ((guest, "Ivana"), (vera, "Vera")):
        assert (await browser.post(f"/sessions/{made['code']}/join", json={"nickname": name})).is_success
    async with site.live(guest, made["id"]) as member:
        await member.hello()
        assert (await member.do("name", name=posed.strip()))["error"]["code"] == "name-taken"
        assert (await member.do("name", name="Iv"))["error"] is None
    olga = await site.browser("olga")
    await ivan.put("/slides/visual/sharing", json={"public": True, "shares": []})
    refused = await olga.post("/sessions", json={**S, "nickname": "Ivan"})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/name-taken")


async def test_what_a_guest_draws_is_signed_as_a_guests_and_stays_its_own_when_corrected_ac5_an2(site: Site) -> None:
    ivan, guest = await site.browser("ivan"), await site.browser()
    made = (await ivan.post("/sessions", json={**S, "guests_annotate": True})).json()
    await guest.post(f"/sessions/{made['code']}/join", json={"nickname": "Nina"})
    content = {"kind": "point", "geometry": {"type": "Point", "coordinates": [1, 2]}}
    url = "/slides/visual/annotations"
    drawn = await guest.put(f"{url}/a", json=content, headers={"if-none-match": "*"})
    assert (drawn.json()["author"], drawn.json()["editor"]) == ("Nina (guest)", "Nina (guest)")
    corrected = await ivan.put(f"{url}/a", json={**content, "name": "Duct"}, headers={"if-match": '"r1"'})
    assert (corrected.json()["author"], corrected.json()["editor"]) == ("Nina (guest)", "Ivan")
    deleted = await ivan.delete(f"{url}/a", headers={"if-match": '"r2"'})
    assert deleted.is_success
    restored = await ivan.put(f"{url}/a", json=content, headers={"if-match": '"r3"'})
    assert (restored.json()["author"], restored.json()["editor"]) == ("Nina (guest)", "Ivan")
    for browser, name in ((guest, "Nina (guest)"), (ivan, "Ivan")):
        assert (await browser.get(url)).json()["author"] == name
    table = (await ivan.get(url, params={"format": "csv"})).text
    assert "Nina (guest)" in table


async def test_a_session_may_want_an_account_and_a_passcode_se6_se10(site: Site) -> None:
    ivan, guest, vera = await site.browser("ivan"), await site.browser(), await site.browser("vera")
    made = (await ivan.post("/sessions", json={**S, "guests": False, "passcode": "hematoxylin"})).json()
    door = (await guest.get(f"/sessions/{made['code']}")).json()
    assert door == {"code": made["code"], "title": "Ivan's session", "host": "Ivan", "state": "live", "passcode": True,
                    "account": True, "recording": False, "joined": None}  # fmt: skip
    path = f"/sessions/{made['code'].lower()}/join"
    refused = await guest.post(path, json={"nickname": "G", "passcode": "hematoxylin"})
    assert (refused.status_code, refused.json()["type"]) == (401, "/problems/sign-in-required")
    for body in ({"nickname": "V"}, {"nickname": "V", "passcode": "eosin"}):
        refused = await vera.post(path, json=body)
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/wrong-passcode")
    assert (await vera.post(path, json={"nickname": "V", "passcode": "hematoxylin"})).status_code == 200
    again = await vera.post(path, json={"nickname": "Vera"})  # a member needs none
    assert again.json()["member"] == "m2"
    assert (await vera.get(f"/sessions/{made['code']}")).json()["joined"] == {"id": made["id"], "member": "m2"}
    changed = await ivan.patch(f"/sessions/{made['id']}", json={"new_code": True, "passcode": None, "guests": True})
    assert (await guest.post(path, json={"nickname": "G"})).status_code == 404
    assert (await guest.post(f"/sessions/{changed.json()['code']}/join", json={"nickname": "G"})).status_code == 200


async def test_a_guest_learns_before_joining_whether_the_session_is_recorded_se5(site: Site) -> None:
    ivan, guest = await site.browser("ivan"), await site.browser()
    made = (await ivan.post("/sessions", json=S)).json()

    async def recording() -> bool:
        return bool((await guest.get(f"/sessions/{made['code']}")).json()["recording"])

    async with site.live(ivan, made["id"]) as owner:
        await owner.hello()
        seen = [await recording()]
        for on in (True, False):
            await owner.do("record", on=on)
            seen.append(await recording())
    assert seen == [False, True, False]


async def test_who_is_removed_or_locked_out_stays_out_se6(site: Site) -> None:
    ivan, guest, late = await site.browser("ivan"), await site.browser(), await site.browser()
    made = (await ivan.post("/sessions", json=S)).json()
    path = f"/sessions/{made['code']}/join"
    await guest.post(path, json={"nickname": "Mallory"})
    async with site.live(ivan, made["id"]) as owner, site.live(guest, made["id"]) as rude:
        await owner.hello()
        await rude.hello()
        await owner.do("remove", member=rude.you)
        assert (await rude.closed())[0] == 4403
        assert (await guest.post(path, json={"nickname": "Mallory"})).status_code == 404
        assert (await guest.get("/slides/visual")).status_code == 404
        await owner.do("settings", settings={"everyone_steers": False, "guests_annotate": False, "locked": True})
        refused = await late.post(path, json={"nickname": "Late"})
        assert (refused.status_code, refused.json()["type"]) == (409, "/problems/session-locked")


async def test_who_is_removed_reads_why_and_comes_back_once_the_removal_is_undone_se51(site: Site) -> None:
    ivan, guest = await site.browser("ivan"), await site.browser()
    made = (await ivan.post("/sessions", json=S)).json()
    await guest.post(f"/sessions/{made['code']}/join", json={"nickname": "Ben"})
    async with site.live(ivan, made["id"]) as owner, site.live(guest, made["id"]) as ben:
        await owner.hello()
        await ben.hello()
        await owner.do("remove", member=ben.you, text="This is group A.")
        assert await ben.closed() == (4403, "This is group A.")
        async with site.live(guest, made["id"]) as again:
            assert (await again.closed())[0] == 4403
        await owner.do("readmit", member=ben.you)
        async with site.live(guest, made["id"]) as back:
            await back.hello()
            assert back.you == ben.you
            assert (await guest.get("/slides/visual")).status_code == 200


PUT_OUT = {
    "signs out": ("vera", "POST", "/sign-out", None),
    "is disabled": ("adam", "PATCH", "/users/{vera}", {"disabled": True}),
    "has a new password": ("adam", "PATCH", "/users/{vera}", {"password": "another good password"}),
}


@pytest.mark.parametrize("how", PUT_OUT)
async def test_who_signs_out_or_is_disabled_is_put_out_at_once_se30(site: Site, how: str) -> None:
    who, method, path, body = PUT_OUT[how]
    browsers = {name: await site.browser(name) for name in ("ivan", "vera", "anna", "adam")}
    made = (await browsers["ivan"].post("/sessions", json=S)).json()
    for name in ("vera", "anna"):
        await browsers[name].post(f"/sessions/{made['code']}/join", json={"nickname": name})
    async with site.live(browsers["vera"], made["id"]) as one, site.live(browsers["anna"], made["id"]) as other:
        await one.hello()
        await other.hello()
        acting = await browsers[who].request(method, path.format(vera=site.clinic.ids["vera"]), json=body)
        assert acting.is_success, acting.text
        assert (await asyncio.wait_for(one.closed(), AT_ONCE))[0] == 4401
        assert (await other.until("event", by=None))["event"]["kind"] == "absent"  # she alone
        assert (await other.do("hand", member=other.you, raised=True))["error"] is None


async def test_a_token_for_scripts_that_is_revoked_ends_its_connections_se30(site: Site) -> None:
    ivan = await site.browser("ivan")
    made = (await ivan.post("/sessions", json=S)).json()
    token = (await ivan.post("/account/tokens", json={"title": "script"})).json()
    script = await site.browser()
    script.headers["authorization"] = f"Bearer {token['token']}"
    async with site.live(script, made["id"]) as one:
        await one.hello()
        assert (await ivan.delete(f"/account/tokens/{token['id']}")).status_code == 204
        assert (await asyncio.wait_for(one.closed(), AT_ONCE))[0] == 4401


@pytest.mark.parametrize("what", ["sharing", "links"])
async def test_everybody_is_asked_again_when_sharing_ends_or_a_link_is_revoked_se30(
    site: Site, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ivan = await site.browser("ivan")
    made = (await ivan.post("/sessions", json=S)).json()
    asked, recheck = asyncio.Event(), LiveSession.recheck

    async def signalling(session: LiveSession) -> None:
        await recheck(session)
        asked.set()

    link = (await ivan.post("/slides/visual/links", json={})).json()
    async with site.live(ivan, made["id"]) as owner:
        await owner.hello()
        monkeypatch.setattr(LiveSession, "recheck", signalling)
        if what == "sharing":
            done = await ivan.put("/slides/visual/sharing", json={"public": False, "shares": []})
        else:
            done = await ivan.delete(f"/links/{link['id']}")
        assert done.is_success
        await asyncio.wait_for(asked.wait(), AT_ONCE)
        assert (await owner.do("note", text="still here"))["error"] is None


async def test_only_what_one_may_present_is_presented_to_others_se3_se23(site: Site) -> None:
    ivan, guest = await site.browser("ivan"), await site.browser()
    refused = await ivan.post("/sessions", json={**S, "slides": ["visual", "planes"]})
    assert (refused.status_code, refused.json()["type"]) == (404, "/problems/unknown-slide")
    made = (await ivan.post("/sessions", json=S)).json()
    await guest.post(f"/sessions/{made['code']}/join", json={"nickname": "G"})
    async with site.live(ivan, made["id"]) as owner, site.live(guest, made["id"]) as other:
        await owner.hello()
        await other.hello()
        ack = await owner.do("slides", slides=["visual", "planes"])
        assert ack["error"]["code"] == "unknown-slide"
        site.clinic.own("planes", "ivan")
        assert (await owner.do("slides", slides=["visual", "planes"]))["error"] is None
        await owner.do("present", member=other.you)
        site.clinic.own("lossless", "ivan")
        assert (await other.do("slides", slides=["visual", "lossless"]))["error"]["code"] == "unknown-slide"
        assert (await guest.get("/slides/planes")).status_code == 200


@pytest.mark.slow
async def test_one_owner_has_at_most_twenty_open_sessions_se34(site: Site) -> None:
    ivan = await site.browser("ivan")
    made = [await ivan.post("/sessions", json=S) for _ in range(21)]
    assert [answer.status_code for answer in made] == [201] * 20 + [409]
    assert (await ivan.post(f"/sessions/{made[0].json()['id']}/end")).json()["state"] == "ended"
    assert (await ivan.delete(f"/sessions/{made[0].json()['id']}")).status_code == 204
    assert len((await ivan.get("/sessions")).json()["sessions"]) == 19
    assert (await ivan.post("/sessions", json=S)).status_code == 201


async def test_what_opens_slides_to_others_is_audited(site: Site) -> None:
    ivan, vera, adam = await site.browser("ivan"), await site.browser("vera"), await site.browser("adam")
    made = (await ivan.post("/sessions", json=S)).json()
    await vera.post(f"/sessions/{made['code']}/join", json={"nickname": "V"})
    site.clinic.own("planes", "ivan")
    async with site.live(ivan, made["id"]) as owner:
        await owner.hello()
        await owner.do("slides", slides=["visual", "planes"])
        await owner.do("record", on=True)
        await owner.do("end")
    entries = (await adam.get("/audit?limit=50")).json()["entries"]
    found = {(entry["action"], entry["name"], entry["slide"]) for entry in entries}
    assert {
        ("session started", "Ivan", None), ("session joined", "Vera", None), ("shared", "Ivan", "planes"),
        ("session recorded", "Ivan", None), ("session ended", "Ivan", None),
    } <= found  # fmt: skip
    started = next(entry for entry in entries if entry["action"] == "session started")
    called = {"title": "Ivan's session", "session": "Ivan's session", "session_id": made["id"]}
    assert started["detail"] == {**called, "slides": "visual"}
    assert made["code"] not in str(entries)


@pytest.mark.slow
async def test_a_session_is_reported_to_its_members_and_changed_by_its_owner_se9_se10(site: Site) -> None:
    ivan, olga, guest = [await site.browser(name) for name in ("ivan", "olga", "")]
    made = (await ivan.post("/sessions", json=S)).json()
    members = {"id", "code", "link", "title", "state", "owner", "slides", "members", "passcode", "guests", "settings"}
    assert made.keys() >= members | {"recording", "created", "ended"}
    assert (made["link"], made["owner"], made["state"], made["ended"]) == (f"/join/{made['code']}", True, "live", None)
    path = f"/sessions/{made['id']}"
    await guest.post(f"/sessions/{made['code']}/join", json={"nickname": "G"})
    assert (await guest.get(path)).json()["owner"] is False
    assert [one["id"] for one in (await ivan.get("/sessions")).json()["sessions"]] == [made["id"]]
    assert (await olga.get("/sessions")).json()["sessions"] == []
    changes = [("PATCH", path, {"title": "mine"}), ("POST", f"{path}/end", None), ("DELETE", path, None)]
    for browser, expected in ((olga, (404, "unknown-session")), (guest, (403, "forbidden"))):
        for method, url, body in changes:
            refused = await browser.request(method, url, json=body)
            assert (refused.status_code, refused.json()["type"]) == (expected[0], f"/problems/{expected[1]}"), url
    assert (await ivan.patch(path, json={"title": "Crypts"})).json()["title"] == "Crypts"
    assert (await ivan.post(f"{path}/end")).json()["state"] == "ended"
    assert (await ivan.delete(path)).status_code == 204
    assert (await ivan.get("/sessions")).json()["sessions"] == []


async def test_a_guest_is_recognised_for_the_time_of_the_setting_se4(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(world.copy(tmp_path / "store").store, limits=Limits(guest_seconds=120)) as served:
        body = {"slides": ["visual"], "nickname": "Ada"}
        answer = await Party(served.port, {}, "").ask("POST", "/sessions", json=body)
        cookie = answer.headers["set-cookie"]
        assert "max-age=120;" in cookie.lower()
        token = cookie.partition("=")[2].partition(";")[0]
        participants = served.service.sessions.participants
        for seconds, known in ((110.0, True), (130.0, False)):
            later = SimpleNamespace(time=lambda: time.time() + seconds)  # noqa: B023 - called at once
            monkeypatch.setattr("wavescope.catalog.sessions.sessions.time", later)
            assert (participants.guest_of(token) is not None) == known

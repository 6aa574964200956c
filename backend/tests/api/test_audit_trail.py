"""Which requests become entries of the audit log (PR36)."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.accounts import API, PASSWORD, Clinic, clinic
from api.test_server import Served
from service.world import World
from wavescope.api.middleware.audit_trail import ACTS
from wavescope.catalog.access.audit import AuditLog, AuditRecord
from wavescope.service.access.audit import ACTIONS

# Changes with a history of their own, previews of exports, what does not concern a slide, grants renewed every minute.
QUIET = re.compile(
    r"/(annotations|comments|mixes|coverage|tours|quizzes|attempts|cases|jobs|blocks:batch|sign-in/renew|sessions|recordings|grants|identity|original|"
    r"slides/\{slide_id\}/(exports|archive)$|users/import/preview|exports/\{export_id\}$|uploads/resumable|oidc|lti/(login|launch)|planner/simulations|"
    r"planner/experiments/runs)"
)


@pytest.fixture
async def at(world: World, tmp_path: Path) -> AsyncIterator[Clinic]:
    async with clinic(world.copy(tmp_path / "store").without_log().store) as opened:
        yield opened


async def entries(at: Clinic | Served) -> list[AuditRecord]:
    """All of the log, once everything is written."""
    await asyncio.to_thread(at.service.audit._writer._thread.submit(lambda: None).result)
    return list(AuditLog(at.service.catalog.engine).all())


def acts(records: list[AuditRecord]) -> list[tuple[str, str, str | None]]:
    return [(record.entry.name, record.entry.action, record.entry.slide_id) for record in records]


async def test_signing_in_and_failing_to_are_recorded_without_secrets(at: Clinic) -> None:
    async with at.client() as browser:
        await browser.post(f"{API}/sign-in", json={"name": "vera", "password": "wrong guess"})
        await browser.post(f"{API}/sign-in", json={"name": "vera", "password": PASSWORD})
        await browser.post(f"{API}/sign-out")
        await browser.post(f"{API}/links/open", json={"token": "made up"})
    records = await entries(at)
    assert acts(records) == [
        ("vera", "sign-in failed", None),
        ("Vera", "signed in", None),
        ("Vera", "signed out", None),
        ("anonymous", "link refused", None),
    ]
    assert [record.entry.principal for record in records] == ["", at.ids["vera"], at.ids["vera"], ""]
    text = str(records)
    assert "wrong guess" not in text
    assert PASSWORD not in text
    assert "made up" not in text


async def test_opening_is_recorded_once_for_each_principal_and_slide_never_per_block_pr36(
    at: Clinic, world: World
) -> None:
    at.own("visual", "ivan")
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0"
    for name in ("ivan", "adam"):
        browser = await at.signed_in(name)
        for path in (url, url, f"{API}/slides/visual", url):
            assert (await browser.get(path)).status_code == 200
    opened = [one for one in acts(await entries(at)) if one[1] == "opened"]
    assert opened == [("Ivan", "opened", "visual"), ("Adam", "opened", "visual")]


async def test_who_may_not_see_a_slide_has_not_opened_it(at: Clinic) -> None:
    browser = await at.signed_in("vera")
    assert (await browser.get(f"{API}/slides/visual")).status_code == 404
    assert [one for one in acts(await entries(at)) if one[2] is not None] == []


async def test_sharing_renaming_deleting_and_files_are_recorded(at: Clinic) -> None:
    at.own("visual", "ivan")
    browser = await at.signed_in("ivan")
    answers = [
        await browser.put(f"{API}/slides/visual/sharing", json={"public": True, "shares": []}),
        await browser.post(f"{API}/slides/visual/links", json={}),
        await browser.patch(f"{API}/slides/visual", json={"title": "Other"}),
        await browser.get(f"{API}/slides/visual/annotations", params={"format": "csv"}),
        await browser.delete(f"{API}/slides/visual"),
        await browser.post(f"{API}/trash/visual/restore"),
    ]
    assert [answer.is_success for answer in answers] == [True] * 6
    found = [(record.entry.action, record.entry.slide_id) for record in await entries(at)][1:]
    acted = ("shared", "link made", "renamed", "downloaded", "deleted", "restored")
    assert found == [(action, "visual") for action in acted]


async def test_an_upload_in_parts_has_one_entry_when_it_is_complete_wi96(at: Clinic) -> None:
    browser = await at.signed_in("ivan")
    tus = {"tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream"}
    name = base64.b64encode(b"a.png").decode()
    made = await browser.post(
        f"{API}/uploads/resumable", headers={**tus, "upload-length": "2", "upload-metadata": f"filename {name}"}
    )
    for offset in ("0", "1"):
        assert ("uploaded", None) not in [(one.entry.action, one.entry.slide_id) for one in await entries(at)]
        part = await browser.patch(made.headers["location"], content=b"x", headers={**tus, "upload-offset": offset})
        assert part.status_code == 204
    assert [one.entry.detail["file"] for one in await entries(at) if one.entry.action == "uploaded"] == ["a.png"]


async def test_every_route_that_changes_something_is_recorded_or_named_as_quiet(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    changing = [(method.upper(), path) for path, verbs in paths.items() for method in verbs if method != "get"]
    assert [one for one in changing if one not in ACTS and not QUIET.search(one[1])] == []


async def test_entries_name_the_slide_by_its_title_at_the_time_also_when_it_is_gone_pr37(at: Clinic) -> None:
    at.own("visual", "ivan")
    browser = await at.signed_in("ivan")
    before = (await browser.get(f"{API}/slides/visual")).json()["title"]
    assert (await browser.patch(f"{API}/slides/visual", json={"title": "Liver, second"})).is_success
    assert (await browser.delete(f"{API}/slides/visual")).is_success
    assert (await browser.delete(f"{API}/trash/visual")).is_success
    recorded = [(one.entry.action, one.entry.slide_id, one.entry.detail.get("title")) for one in await entries(at)][1:]
    assert recorded == [
        ("opened", "visual", before),
        ("renamed", "visual", "Liver, second"),
        ("deleted", "visual", "Liver, second"),
        ("purged", "visual", "Liver, second"),
    ]


async def test_tagging_several_slides_has_an_entry_for_each_wi12(at: Clinic) -> None:
    browser = await at.signed_in("adam")
    change = {"slides": ["visual", "lossless"], "tags": {"stain": "HE"}}
    assert (await browser.patch(f"{API}/slides", json=change)).is_success
    tagged = [one.entry.slide_id for one in await entries(at) if one.entry.action == "renamed"]
    assert sorted(filter(None, tagged)) == ["lossless", "visual"]


async def test_emptying_the_trash_has_an_entry_for_each_slide_pr37(at: Clinic) -> None:
    browser = await at.signed_in("adam")
    for slide in ("visual", "lossless"):
        assert (await browser.delete(f"{API}/slides/{slide}")).is_success
    assert (await browser.delete(f"{API}/trash")).is_success
    purged = [one.entry for one in await entries(at) if one.entry.action == "purged"]
    assert sorted((one.slide_id, bool(one.detail["title"])) for one in purged) == [("lossless", True), ("visual", True)]


async def test_entries_name_files_that_were_uploaded_exported_and_downloaded_pr37(at: Clinic, world: World) -> None:
    browser = await at.signed_in("adam")
    await browser.post(f"{API}/uploads", params={"filename": "M\u00e4rz.svs", "start": "false"}, content=b"no slide")
    version = f"{API}/slides/lossless/v/{world.digests['lossless']}"
    place: dict[str, str | int] = {"x": 0, "y": 0, "width": 64, "height": 64, "format": "png"}
    export = (await browser.post(f"{version}/exports", params=place)).json()
    await browser.get(f"{API}/exports/{export['id']}/events")
    assert (await browser.get(f"{API}/exports/{export['id']}/file")).is_success
    await browser.get(f"{API}/slides/lossless/annotations", params={"format": "csv"})
    found = {(one.entry.action, one.entry.slide_id, one.entry.detail.get("file")) for one in await entries(at)}
    name = export["filename"]
    expected = [(name, "exported"), (name, "downloaded"), ("lossless.annotations.csv", "downloaded")]
    assert {("uploaded", None, "M\u00e4rz.svs"), *((act, "lossless", file) for file, act in expected)} <= found

    async def by(text: str) -> list[tuple[str, str | None]]:
        answer = await browser.get(f"{API}/audit", params={"slide": text})
        return [(one["action"], one["slide"]) for one in answer.json()["entries"]]

    assert await by("m\u00e4rz") == [("uploaded", None)]
    assert await by(name) == [("downloaded", "lossless"), ("exported", "lossless")]


async def test_where_files_are_deidentified_the_log_keeps_no_name_of_one_pr43(world: World, tmp_path: Path) -> None:
    async with clinic(world.copy(tmp_path / "store").without_log().store, deidentify=True) as at:
        browser = await at.signed_in("adam")
        await browser.post(f"{API}/uploads", params={"filename": "Doe_Jane.svs", "start": "false"}, content=b"no slide")
        records = await entries(at)
    assert records[-1].entry.action == "uploaded"
    assert "Doe_Jane" not in str(records)


async def test_an_entry_names_who_and_what_its_ids_stood_for_pr37(at: Clinic) -> None:
    adam = await at.signed_in("adam")
    case = (await adam.post(f"{API}/cases", json={"title": "Course", "slides": ["visual"]})).json()["id"]
    group = (await adam.post(f"{API}/groups", json={"name": "residents"})).json()["id"]
    olga = {"kind": "user", "id": at.ids["olga"], "right": "annotate"}
    shares = [olga, {"kind": "group", "id": group, "right": "view"}]
    await adam.put(f"{API}/cases/{case}/sharing", json={"public": False, "shares": shares, "owner": at.ids["ivan"]})
    link = (await adam.post(f"{API}/cases/{case}/links", json={"title": "For the course"})).json()["id"]
    await adam.delete(f"{API}/links/{link}")
    await adam.patch(f"{API}/users/{at.ids['vera']}", json={"role": "annotator", "title": "Vera M."})
    await adam.patch(f"{API}/groups/{group}", json={"members": [at.ids["vera"]]})
    await adam.delete(f"{API}/groups/{group}")
    live = (await adam.post(f"{API}/sessions", json={"slides": ["visual"], "nickname": "Adam", "title": "T"})).json()
    await adam.post(f"{API}/sessions/{live['id']}/end")
    found = {(one.entry.action, one.entry.detail.get("group")): one.entry.detail for one in await entries(at)}
    shared = found["shared", None]
    assert (shared["case"], shared["case_id"], shared["owner"]) == ("Course", case, "Ivan")
    assert sorted(shared["to"].split(", ")) == ["Olga (annotate)", "residents (view)"]
    assert (found["link revoked", None]["link"], found["link revoked", None]["case"]) == ("For the course", "Course")
    changed = found["user changed", None]
    assert (changed["user"], changed["user_id"], changed["called"]) == ("vera", at.ids["vera"], "Vera M.")
    assert [key for key in found if key[0] == "group changed"] == [("group changed", "residents")]
    assert found["session ended", None]["session"] == "T"


def test_the_page_has_a_german_name_for_each_action() -> None:
    """LG5"""
    texts = Path(__file__).resolve().parents[3] / "frontend" / "core" / "src" / "i18n" / "de" / "actions.json"
    assert set(json.loads(texts.read_text())) == {action.replace(" ", "-") for action in ACTIONS}

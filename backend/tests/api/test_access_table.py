"""Every route, asked by everybody (AC13)."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import logging
import re
import shutil
import zipfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.routing import Route

from api.access_table import COLUMNS, QUIZ, ROWS, UPLOAD, Row
from api.accounts import API, Clinic, clinic
from edge.edges import edge, served
from service.world import World
from wavescope.access.principal import Capability
from wavescope.api.app import build_app
from wavescope.catalog.access.links import Links
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.records import Share
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import RecordingRecord
from wavescope.service.jobs.runs import IngestResult, Report
from wavescope.service.protocols.dicom.uids import UidKind, uid_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LETTERS = {"sign-in-required": "s", "forbidden": "f", "credentials-expired": "c"}
NAMES = {"stranger": "olga", "viewer": "vera", "annotator": "anna", "owner": "ivan", "admin": "adam"}
NOBODYS = "nobody-has-this"
FILLED = {"z": "0", "c": "0", "level": "0", "x": "0", "y": "0", "page": "0", "kind": "png", "annotation_id": "a",
          "comment_id": "none", "overlay_id": "a", "launch_id": "none", "platform_id": "none", "other_id": "visual",
          "name": "label", "rest:path": "0/0/0/0/0", "token_id": "none",
          "api": "3", "region": "full", "size": "9,", "rotation": "0", "quality": "default", "format": "jpg",
          "overlap": "0", "column": "0", "row": "0", "suffix": "png", "zoom": "0", "frames": "1"}  # fmt: skip


class Quick:
    """Ends every job at once, but keeps those of files called ``waiting`` running."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        if path.name.startswith("waiting"):
            await asyncio.Event().wait()
        return IngestResult("quick")

    async def discard(self, path: Path) -> None:
        """Nothing is left."""


class Site:
    """A clinic with something of every kind, and a window for every column of the table."""

    def __init__(self, opened: Clinic, world: World) -> None:
        self.clinic, self.world, self.service = opened, world, opened.service
        self.table, self.links = SharingTable(self.service.catalog), Links(self.service.catalog)
        self.windows: dict[str, httpx.AsyncClient] = {}
        self.params: dict[str, str] = {}
        self._number = itertools.count()
        self._joinable = ""

    async def furnish(self) -> None:
        self._share("slide", "visual")
        for column in COLUMNS:
            self.windows[column] = await self.window(column)
        self.params = {**FILLED, "slide_id": "visual", "digest": self.world.digests["visual"]}
        self.params |= {"user_id": self.clinic.ids["vera"]}
        kinds = {"study": UidKind.STUDY, "series": UidKind.SERIES, "instance": UidKind.INSTANCE}
        self.params |= {name: uid_of(self.world.digests["visual"], kind) for name, kind in kinds.items()}
        for kind in (
            "case",
            "tour",
            "quiz",
            "attempt",
            "export",
            "job",
            "upload",
            "link",
            "group",
            "session",
            "recording",
        ):
            self.params |= await self.made(kind)

    async def window(self, column: str) -> httpx.AsyncClient:
        """A browser of this kind of principal."""
        if column in NAMES:
            return await self.clinic.signed_in(NAMES[column])
        client = self.clinic.client()
        if column == "guest":
            client.cookies.set("wavescope_guest", "the guest")
        elif column != "anonymous":
            token, link = self.links.add("slide", "visual", "view", "", self.clinic.ids["ivan"], None)
            client.cookies.set("wavescope_links", token)
            if column == "expired":
                self.links.revoke(link.id)
        return client

    async def made(self, kind: str) -> dict[str, str]:
        """Something new that belongs to the owner, and its name in paths."""
        owner = self.windows["owner"]
        match kind:
            case "slide" | "trashed":
                record, name = self.service.catalog.get("visual"), f"apart-{next(self._number)}"
                self.service.catalog.publish(name, "Apart", record.digest, record.manifest)
                self.clinic.own(name, "ivan")
                self._share("slide", name)
                if kind == "trashed":
                    assert (await owner.delete(f"{API}/slides/{name}")).status_code == 204
                return {"slide_id": name}
            case "case" | "member":
                case = (await owner.post(f"{API}/cases", json={"title": "c", "slides": ["visual"]})).json()
                self._share("case", case["id"])
                return {"case_id": case["id"]}
            case "tour":
                tour = await owner.post(f"{API}/tours?slide=visual", json={"title": "t"})
                return {"tour_id": tour.json()["id"]}
            case "quiz":
                quiz = await owner.post(f"{API}/quizzes?slide=visual", json=QUIZ)
                return {"quiz_id": quiz.json()["id"]}
            case "attempt":
                attempt = await owner.post(f"{API}/quizzes/{self.params['quiz_id']}/attempts")
                return {"attempt_id": attempt.json()["id"], "question_id": "q"}
            case "export":
                url = f"{API}/slides/visual/v/{self.world.digests['visual']}/exports"
                made = (await owner.post(f"{url}?x=0&y=0&width=8&height=8&format=png")).json()
                await owner.get(f"{API}/exports/{made['id']}/events")  # until it has ended
                return {"export_id": made["id"]}
            case "job":
                made = (await owner.post(f"{API}/uploads?filename=quick", content=b"x")).json()
                await owner.get(f"{API}/jobs/{made['id']}/events")
                return {"job_id": made["id"]}
            case "upload":
                made = await owner.post(f"{API}/uploads/resumable", headers=UPLOAD)
                return {"upload_id": made.headers["location"].rpartition("/")[2]}
            case "waiting job":
                waiting = [
                    view for view in (await owner.get(f"{API}/jobs")).json()["jobs"] if view["state"] == "running"
                ]
                if waiting:
                    return {"job_id": waiting[0]["id"]}
                picture = (self.world.store.parent / "picture.png").read_bytes()
                made = (await owner.post(f"{API}/uploads?filename=waiting.png&again=true", content=picture)).json()
                while (await owner.get(f"{API}/jobs/{made['id']}")).json()["state"] != "running":
                    await asyncio.sleep(0)
                return {"job_id": made["id"]}
            case "link":
                return {"link_id": (await owner.post(f"{API}/slides/visual/links", json={})).json()["id"]}
            case "group":
                group = {"name": f"group {next(self._number)}"}
                return {"group_id": (await self.windows["admin"].post(f"{API}/groups", json=group)).json()["id"]}
            case "session" | "joinable" | "ended session":
                return await self._session(kind)
            case "recording":
                return self._recording()
        raise AssertionError(kind)

    async def _session(self, kind: str) -> dict[str, str]:
        """A session on a slide of its own; another that could be joined is over, and what came of it."""
        owner = self.windows["owner"]
        if kind == "joinable" and self._joinable:
            await owner.post(f"{API}/sessions/{self._joinable}/end")
        slide = (await self.made("slide"))["slide_id"]
        made = (await owner.post(f"{API}/sessions", json={"slides": [slide], "nickname": "Ivan"})).json()
        if kind == "joinable":
            self._joinable = made["id"]
        if kind == "ended session":
            await owner.post(f"{API}/sessions/{made['id']}/end")
        return {"session_id": made["id"], "code": made["code"]}

    def _recording(self) -> dict[str, str]:
        name = f"{next(self._number):032x}"
        record = RecordingRecord(
            name, "0" * 32, f"user:{self.clinic.ids['ivan']}", "r", [{"id": "visual", "title": "t"}], 1.0, 0, 0, 0,
            done=True, shared=False,
        )  # fmt: skip
        RecordingTable(self.service.catalog).create(record)
        return {"recording_id": name}

    def _share(self, scope: Any, target: str) -> None:
        given = [
            Share("user", self.clinic.ids["vera"], "view"),
            Share("user", self.clinic.ids["anna"], "annotate"),
        ]
        self.table.share(scope, target, False, given)


def guest_of(token: str) -> tuple[str, Capability] | None:
    """The one guest of a session that shows ``visual``."""
    return ("Guest", Capability("session", "g", "view", frozenset({"visual"}))) if token == "the guest" else None


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["service", "edge"])
async def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, world: World
) -> AsyncIterator[Site]:
    """The service itself, or the same through an edge (ED20)."""
    copy = world.copy(tmp_path_factory.mktemp("table") / "store")
    shutil.copy(world.store.parent / "picture.png", copy.store.parent)
    async with clinic(copy.store, runner=Quick()) as opened:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opened.service.sessions.participants, "guest_of", guest_of)
            site = Site(opened, copy)
            await site.furnish()
            if request.param == "service":
                yield site
                return
            folder = tmp_path_factory.mktemp("edge")
            async with served(opened.app) as url, edge(folder, url) as (_, app):
                for client in site.windows.values():
                    client._transport = httpx.ASGITransport(app, raise_app_exceptions=False)
                opened.app = app
                yield site


def routes_of(app: Any) -> set[tuple[str, str]]:
    """Method and path of every HTTP route."""
    found = [route for route in app.routes if isinstance(route, Route)]
    return {(method, route.path) for route in found for method in route.methods or () if method != "HEAD"}


def url_of(path: str, params: Mapping[str, str], query: str) -> str:
    for name, value in params.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, path
    return f"{path}?{query}" if query else path


async def ask(client: httpx.AsyncClient, method: str, url: str, row: Row) -> httpx.Response:
    body: dict[str, Any] = {"content": row.content} if row.json is None else {"json": row.json}
    headers = {"x-request-id": "one-for-all", **row.headers}  # answers are compared with each other
    return await client.request(method, url, headers=headers, **body)


def outcome(answer: httpx.Response, row: Row) -> str:
    """The letter of the table; a refusal's own name if it has none."""
    if answer.status_code not in (401, 403, 404):
        assert answer.status_code < 500, answer.text
        return "+"
    name = answer.json()["type"].removeprefix("/problems/")
    if name in row.passed:
        return "+"
    return LETTERS.get(name) or ("0" if name.startswith("unknown-") else name)


async def test_every_route_of_the_application_has_a_row_ac13(site: Site) -> None:
    assert routes_of(build_app(site.service)) == ROWS.keys()


@pytest.mark.parametrize(("method", "path"), ROWS)
async def test_who_may_ask_ac13(site: Site, method: str, path: str) -> None:
    """AC13; AC17 for tours, AC18 for jobs, their previews and exports, AC19 for the trash."""
    row, found = ROWS[method, path], ""
    for column in COLUMNS:
        params = dict(site.params)
        window = site.windows[column]
        if row.fresh in ("window", "joinable"):
            window = await site.window(column)
        if row.fresh not in ("", "window"):
            params |= await site.made(row.fresh)
        answer = await ask(window, method, url_of(path, params, row.query), row)
        letter = outcome(answer, row)
        found += letter
        if letter == "0":
            await expect_same_as_unknown(site.windows[column], (method, path), row, params, answer)
    assert dict(zip(COLUMNS, found, strict=True)) == dict(zip(COLUMNS, row.outcome, strict=True))


async def expect_same_as_unknown(
    window: httpx.AsyncClient, route: tuple[str, str], row: Row, params: Mapping[str, str], answer: httpx.Response
) -> None:
    """An unknown thing and one that is not seen are answered in the same words (AC9)."""
    method, path = route
    body = json.loads(json.dumps(row.json).replace('"visual"', f'"{NOBODYS}"'))
    in_body = body != row.json or "slide=" in row.query
    kinds = (
        "slide_id",
        "case_id",
        "tour_id",
        "quiz_id",
        "attempt_id",
        "export_id",
        "job_id",
        "link_id",
        "session_id",
        "recording_id",
        "upload_id",
        "study",
    )
    named = [name for name in kinds if f"{{{name}}}" in path or (name == "slide_id" and in_body)][:1]
    other = {**params, **dict.fromkeys(named, NOBODYS)}
    query = row.query.replace("slide=visual", f"slide={NOBODYS}")
    unknown = await ask(window, method, url_of(path, other, query), replace(row, json=body))
    assert unknown.status_code == answer.status_code
    assert unknown.text == answer.text.replace(params[named[0]], NOBODYS)
    assert {name: value for name, value in unknown.headers.items() if name != "content-length"} == {
        name: value for name, value in answer.headers.items() if name != "content-length"
    }


@pytest.mark.parametrize("column", ["anonymous", "expired", "stranger"])
async def test_what_is_not_seen_is_not_named_anywhere_ac9(site: Site, column: str) -> None:
    window = site.windows[column]
    case, tour = site.params["case_id"], site.params["tour_id"]
    lists = ["/slides", "/slides?search=visual", f"/slides?label=case:{case}", "/facets", "/facets?search=visual"]
    for url in [*lists, "/cases", "/cases?search=c", "/tours", f"/tours?case={case}", "/jobs", "/trash", "/account"]:
        text = (await window.get(API + url)).text
        text = re.sub('"(channel_)?quality":"visual"', "", text)  # of jobs of their own
        assert not any(word in text for word in ("isual", site.world.digests["visual"], case, tour)), url
    listed = (await window.get(f"{API}/slides?search=visual")).json()
    assert (listed["slides"], listed["total"]) == ([], 0)
    assert (await window.get(f"{API}/facets")).json() == {"facets": []}


async def test_metrics_name_no_slide_ac9(site: Site) -> None:
    await site.windows["owner"].get(f"{API}/slides/visual")
    await site.windows["anonymous"].get(f"{API}/slides/visual")
    text = (await site.windows["admin"].get("/metrics")).text
    assert "visual" not in text
    assert site.world.digests["visual"] not in text


EXAM = {
    "title": "Exam", "mode": "exam", "attempts": 2,
    "questions": [
        {"id": "q", "kind": "text", "text": "", "view": {}, "key": "PLANTED key", "feedback": "PLANTED feedback"},
        {"id": "n", "kind": "number", "text": "", "view": {}, "key": {"value": 98765.25}, "feedback": ""},
    ],
}  # fmt: skip
SECRETS = ("PLANTED key", "PLANTED feedback", "98765.25", "PLANTED answer", "PLANTED comment", "Petra")
DIRECTORY = f"{API}/people"  # names of accounts, for instructors who share slides
TEXT = {"answer": {"kind": "text", "text": "PLANTED answer"}}


async def written_exam(site: Site) -> dict[str, str]:
    """The names, in paths, of an exam on ``visual`` and of the attempt of a class mate, ended, marked and graded."""
    owner, marker = site.windows["owner"], site.windows["annotator"]
    quiz = (await owner.post(f"{API}/quizzes?slide=visual", json=EXAM)).json()["id"]
    if "petra" not in site.clinic.ids:
        site.clinic.add("petra", "viewer")
        given = [("vera", "view"), ("petra", "view"), ("anna", "annotate")]
        shares = [Share("user", site.clinic.ids[name], right) for name, right in given]  # type: ignore[arg-type]
        site.table.share("slide", "visual", False, shares)
    petra = await site.clinic.signed_in("petra")
    attempt = (await petra.post(f"{API}/quizzes/{quiz}/attempts")).json()["id"]
    assert (await petra.put(f"{API}/attempts/{attempt}/answers/q", json=TEXT)).status_code == 200
    assert (await petra.post(f"{API}/attempts/{attempt}/end")).status_code == 200
    url = f"{API}/quizzes/{quiz}/attempts/{attempt}/marks/q"
    assert (await marker.put(url, json={"points": 1, "comment": "PLANTED comment"})).status_code == 204
    return {"quiz_id": quiz, "attempt_id": attempt, "question_id": "q"}


def shown_by(answer: httpx.Response) -> str:
    """Everything that an answer says, with what is in an archive."""
    said = f"{answer.headers} {answer.text}"
    if answer.content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            said += " ".join(archive.read(name).decode("latin-1") for name in archive.namelist())
    return said


async def test_no_route_and_no_log_tells_a_key_an_answer_or_a_name_of_an_exam_qz4_qz20_qz22(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    """Every route that reads, export and stream of events, and every route of quizzes and launches, for each role."""
    caplog.set_level(logging.DEBUG)
    exam, found = await written_exam(site), []
    candidate = site.windows["viewer"]
    own = (await candidate.post(f"{API}/quizzes/{exam['quiz_id']}/attempts")).json()["id"]
    for column in COLUMNS[: COLUMNS.index("annotator")]:
        for attempt in (exam["attempt_id"], own):
            params = {**site.params, **exam, "attempt_id": attempt}
            for (method, path), row in ROWS.items():
                about = "/quizzes" in path or "/attempts" in path or "/lti/" in path
                if path == DIRECTORY or not (about or (method == "GET" and attempt == own)):
                    continue
                said = shown_by(await ask(site.windows[column], method, url_of(path, params, row.query), row))
                found += [(column, method, path, secret) for secret in SECRETS if secret in said]
    assert found == []
    assert [one for one in SECRETS if one in caplog.text] == []
    audit = (await site.windows["admin"].get(f"{API}/audit?limit=1000")).text
    assert [one for one in SECRETS[:-1] if one in audit] == []
    for column in ("annotator", "owner", "admin"):  # authors and markers see them: the search would find them
        results = shown_by(await site.windows[column].get(f"{API}/quizzes/{exam['quiz_id']}/results"))
        quiz = shown_by(await site.windows[column].get(f"{API}/quizzes/{exam['quiz_id']}"))
        assert [one for one in SECRETS if one not in results + quiz] == []

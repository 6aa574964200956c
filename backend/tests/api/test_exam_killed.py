"""A class writes an exam while the service is killed: no saved answer is lost, and all times are the service's (QZ15 to
QZ19). The long form is the acceptance: 100 candidates, 30 questions, 20 kills.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from api.accounts import API, PASSWORD, QUICK
from api.cluster_nodes import filled
from api.processes import free_port, process
from api.test_quizzes import choice, chosen, quiz
from catalog.databases import new_database, postgresql
from service.world import World
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.quizzes import Quizzes
from wavescope.catalog.records import Share
from wavescope.catalog.tables import AnswerRow

pytestmark = pytest.mark.slow


class Run(NamedTuple):
    """``thinking``: mean seconds between two answers of a candidate; ``p99``: seconds of the service to save one."""

    candidates: int
    kills: int
    thinking: float
    p99: float


FEW = Run(10, 3, 0.5, 10.0)  # on a machine with other work
ALL = Run(100, 20, 2.0, 0.2)
QUESTIONS = 30
SECONDS = 3600  # of the exam
SEED = 31
MAX_ERROR_SECONDS = 0.05  # of a time in an answer, outside the bounds measured by the client
LIFE_SECONDS = 3.0  # at most, of the service between two kills
RUN_SECONDS = 600.0
LONGEST_WAIT = 4.0  # seconds until a client that found no service asks again
RELOADS = 0.2  # of those who wait for the service load the page again
ROUTE = "/api/v1/attempts/{attempt_id}/answers/{question_id}"


class Refused(httpx.TransportError):
    """The service has too much to do (QZ31)."""


@dataclass
class Saved:
    """An answer that was acknowledged, and when it was sent first and acknowledged, in seconds since 1970."""

    answer: dict[str, Any]
    sent: float
    acknowledged: float


@dataclass
class Candidate:
    """One person's client. It sends each answer until the service acknowledges it, after the pauses of a page (QZ29);
    sometimes the person loads the page again meanwhile. Its clock is wrong by ``skew`` seconds.
    """

    name: str
    skew: float
    chance: random.Random
    client: httpx.AsyncClient
    quiz: str
    thinking: float  # mean seconds between two answers
    attempt: str = ""
    order: list[str] = field(default_factory=list)
    begun: str = ""
    saved: dict[str, Saved] = field(default_factory=dict)
    pending: tuple[str, dict[str, Any]] | None = None
    repeated: int = 0
    largest_error: float = 0.0  # of ``now`` in an answer, against the clock outside the service

    async def write(self, done: asyncio.Event) -> None:
        """Answers every question, then changes answers until ``done``, and ends the attempt."""
        await self.resume()
        for question in self.order:
            await self.save(question)
        while not done.is_set():
            await self.save(self.chance.choice(self.order))
        body = await self.send("POST", f"{API}/attempts/{self.attempt}/end")
        assert body["over"]

    async def save(self, question: str) -> None:
        answer, sent = chosen(self.chance.choice("abc"))["answer"], time.time()
        self.pending = (question, answer)
        body = await self.send("PUT", f"{API}/attempts/{self.attempt}/answers/{question}", {"answer": answer})
        kept = self.saved.get(question)
        if kept is None or kept.answer != answer:  # the stored answer again changes nothing, its time neither
            self.saved[question] = Saved(answer, sent, time.time())
        self.pending = None
        self.compare(body)
        await asyncio.sleep(self.chance.expovariate(1 / self.thinking))

    async def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Until it is acknowledged."""
        for attempt in count():
            with suppress(httpx.TransportError):
                return await self.once(method, path, body)
            self.repeated += 1
            await self.pause(attempt)
            if self.chance.random() < RELOADS:
                await self.resume()
        raise AssertionError

    async def pause(self, attempt: int) -> None:
        """As frontend/app/src/state/queries.ts has it (QZ29)."""
        await asyncio.sleep(self.chance.random() * min(2**attempt, LONGEST_WAIT))

    async def resume(self) -> None:
        """Begins the attempt or continues it: it is the same one, with all that was acknowledged."""
        for attempt in count():
            with suppress(httpx.TransportError):
                body = await self.once("POST", f"{self.quiz}/attempts")
                break
            await self.pause(attempt)
        order = [one["id"] for one in body["questions"]]
        if self.attempt:
            assert (body["id"], body["begun"], order) == (self.attempt, self.begun, self.order), self.name
        self.attempt, self.begun, self.order = body["id"], body["begun"], order
        self.compare(body)

    async def once(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """A request of a machine whose clock is wrong. Raises httpx.TransportError."""
        sent = time.time()
        date = format_datetime(datetime.fromtimestamp(sent + self.skew, UTC), usegmt=True)
        answer = await self.client.request(method, path, json=body, headers={"date": date})
        if answer.status_code == 503:
            raise Refused(answer.text)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        now, received = seconds_of(found["now"]), time.time()
        self.largest_error = max(self.largest_error, sent - now, now - received)
        return found

    def compare(self, body: dict[str, Any]) -> None:
        """What the service has is what it acknowledged; only the answer on its way may be there already."""
        expected = {name: one.answer for name, one in self.saved.items()}
        if self.pending is not None and body["answers"].get(self.pending[0]) == self.pending[1]:
            expected[self.pending[0]] = self.pending[1]
        assert body["answers"] == expected, f"{self.name} lost an answer"


def seconds_of(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def service_seconds(log: str) -> tuple[list[float], int]:
    """How long the service took to save each answer, in order of length: from the request's head to the answer's end,
    as its log says (OP53), over all its lives; and how many it refused.
    """
    found, refused = [], 0
    for line in log.splitlines():
        with suppress(json.JSONDecodeError):  # cut by a kill
            said = json.loads(line)
            if said.get("event") == "request" and said["route"] == ROUTE:
                assert said["status"] in (200, 503), line
                if said["status"] == 503:
                    refused += 1
                else:
                    found.append(float(said["seconds"]))
    return sorted(found), refused


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, world: World, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A store, and the address of its catalog; empty: in the store."""
    store = world.copy(tmp_path / "store").store
    if request.param == "sqlite":
        yield store, ""
    else:
        with postgresql() as server:
            yield store, filled(new_database(server, f"e{os.getpid()}"), world)


def enrol(catalog: Catalog, names: list[str]) -> None:
    """Accounts that may view the slide of the exam; ``author`` owns it."""
    accounts, sharing = Accounts(catalog), SharingTable(catalog)
    sharing.own("slide", "visual", accounts.add("author", "Author", "instructor", QUICK).id)
    ids = [accounts.add(name, name.title(), "viewer", QUICK).id for name in names]
    sharing.share("slide", "visual", False, [Share("user", one, "view") for one in ids])


async def signed_in(stack: AsyncExitStack, url: str, name: str) -> httpx.AsyncClient:
    """A client of its own, closed with the stack."""
    opened = httpx.AsyncClient(base_url=url, headers={"origin": url}, timeout=30)
    client = await stack.enter_async_context(opened)
    answer = await client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return client


async def entered(stack: AsyncExitStack, url: str, names: list[str], thinking: float) -> list[Candidate]:
    """Candidates of a new exam, who have not begun, with clocks that are wrong by 1 to 12 hours."""
    chance, author = random.Random(SEED), await signed_in(stack, url, "author")
    questions = [choice(f"q{number}") for number in range(QUESTIONS)]
    exam = quiz(*questions, mode="exam", attempts=1, seconds=SECONDS, shuffled=True)
    made = await author.post(f"{API}/quizzes?slide=visual", json=exam)
    assert made.status_code == 201, made.text
    path, found = f"{API}/quizzes/{made.json()['id']}", []
    for name in names:
        skew, own = chance.choice((-1, 1)) * chance.uniform(3600, 43200), random.Random(chance.random())
        found.append(Candidate(name, skew, own, await signed_in(stack, url, name), path, thinking))
    return found


async def write_all(candidates: list[Candidate], store: Path, port: int, kills: int) -> None:
    """All write while the service is killed at random moments, and end in its last life."""
    chance, done = random.Random(SEED + 1), asyncio.Event()
    writing = [asyncio.ensure_future(one.write(done)) for one in candidates]
    try:
        for _ in range(kills):
            async with process(store, port):
                await asyncio.sleep(chance.uniform(0.2, LIFE_SECONDS))
                assert not [one.exception() for one in writing if one.done()]
        async with process(store, port):
            done.set()
            await asyncio.gather(*writing)
    finally:
        for one in writing:
            one.cancel()
        await asyncio.gather(*writing, return_exceptions=True)


@pytest.mark.parametrize("run", [FEW, pytest.param(ALL, marks=pytest.mark.long)], ids=["few", "all"])
async def test_no_saved_answer_of_an_exam_is_lost_by_kills_and_times_are_the_services_qz15_qz16_qz17_qz19_qz29_qz32(
    database: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], run: Run
) -> None:
    (store, address), port, started = database, free_port(), time.time()
    settings = {"ACCESS": "accounts", "LOG_FORMAT": "json", "LOG_ACCESS": "calls", "RATE_LIMITS": "0"}
    for setting, value in {**settings, **({"CATALOG": address} if address else {})}.items():
        monkeypatch.setenv(f"WAVESCOPE_{setting}", value)
    catalog, url = Catalog.open(address or store), f"http://127.0.0.1:{port}"
    names = [f"candidate{number}" for number in range(run.candidates)]
    enrol(catalog, names)
    async with asyncio.timeout(RUN_SECONDS), AsyncExitStack() as stack:
        async with process(store, port):
            candidates = await entered(stack, url, names, run.thinking)
        await write_all(candidates, store, port, run.kills)
    seconds, refused = service_seconds(capfd.readouterr().err)
    check_stored(catalog, candidates, started)
    catalog.close()
    again, error = sum(one.repeated for one in candidates), max(one.largest_error for one in candidates)
    p99 = seconds[int(0.99 * len(seconds))]
    with capfd.disabled():
        print(
            f"\n{run.candidates} candidates, {run.kills} kills, seed {SEED}: no answer lost; {len(seconds)} saved, "
            f"service time p50 {seconds[len(seconds) // 2] * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, longest "
            f"{seconds[-1] * 1000:.0f} ms; {again} sent again, {refused} refused; times at most {error:.3f} s wrong; "
            f"{time.time() - started:.0f} s in all"
        )
    assert again > 0, "no kill met a candidate"
    assert error < MAX_ERROR_SECONDS
    assert p99 <= run.p99


def check_stored(catalog: Catalog, candidates: list[Candidate], started: float) -> None:
    """Every acknowledged answer is stored, with a time between its sending and its acknowledgement."""
    quiz_id = candidates[0].quiz.rpartition("/")[2]
    records = {one.id: one for one, _ in Quizzes(catalog).attempts(quiz_id)}
    assert set(records) == {one.attempt for one in candidates}
    for one in candidates:
        record = records[one.attempt]
        assert record.ended is not None
        assert record.ends == record.begun + SECONDS
        assert started <= record.begun <= record.ended <= time.time(), one.name
        assert record.answers == {name: saved.answer for name, saved in one.saved.items()}
        assert len(record.answers) == QUESTIONS
        with catalog.reading() as session:
            for name, saved in one.saved.items():
                row = session.get(AnswerRow, (one.attempt, name))
                assert row is not None
                assert saved.sent <= row.saved <= saved.acknowledged, (one.name, one.skew, name)

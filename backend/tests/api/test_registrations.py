"""Registrations of slides over HTTP, by the client and by the command (RE1, RE3, RE6, RE7)."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from PIL import Image

from api.accounts import Clinic, clinic
from api.asking import API, problem, running_client
from client.conftest import service_of
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.registrations import RegistrationTable
from wavescope.catalog.trash import Trash
from wavescope.cli import main
from wavescope.client import open_slide
from wavescope.errors import SectionsDiffer, UnknownSlide
from wavescope.ingest.pipeline import Options, ingest
from wavescope.registration.result import Registration
from wavescope.service.slides.registrations import METHOD
from wavescope.source.open import open_source
from wavescope.source.specimen.stain import GLASS

pytestmark = pytest.mark.slow

WIDTH, HEIGHT = 2048, 1536
PLACES = np.array([[600.0, 700.0], [1500.0, 300.0], [400.0, 1100.0]])


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with ``visual``, the same turned by a quarter as ``ki67``, and ``glass``."""
    folder = tmp_path_factory.mktemp("sections")
    source = open_source(f"specimen:{2 * WIDTH}x{2 * HEIGHT}?seed=4")
    pixels = source.read_region(0, 0, 0, 2 * WIDTH, 2 * HEIGHT)
    left = cv2.resize(pixels, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    glass = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    glass[:] = GLASS
    store = folder / "store"
    with closing(Catalog.open(store)) as catalog:
        for name, picture in (("visual", left), ("ki67", np.rot90(left, -1)), ("glass", glass)):
            Image.fromarray(np.ascontiguousarray(picture)).save(folder / f"{name}.png")
            ingest(str(folder / f"{name}.png"), store, catalog, Options(name))
    return store


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "store"))


@pytest.fixture
async def at(store: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with running_client(store) as client:
        yield client


def path(left: str, right: str) -> str:
    return f"{API}/slides/{left}/registrations/{right}"


def turned(places: np.ndarray) -> np.ndarray:
    """Where a quarter of a turn, clockwise, lays places."""
    return np.stack([HEIGHT - places[:, 1], places[:, 0]], axis=1)


def is_a_quarter_turn(found: Registration) -> bool:
    there = np.abs(found.places.to(PLACES) - turned(PLACES)).max()
    back = np.abs(found.places.back(turned(PLACES)) - PLACES).max()
    return bool(max(there, back) < 3)


async def test_two_slides_are_registered_once_for_all_who_ask_re3_re6(at: httpx.AsyncClient, store: Path) -> None:
    first, other = await asyncio.gather(*(at.get(path("visual", "ki67")) for _ in range(2)))
    assert first.status_code == 200, first.text
    assert first.json() == other.json() == (await at.get(path("visual", "ki67"))).json()
    assert is_a_quarter_turn(Registration.from_json(first.json()))
    assert first.json()["left"] == (await at.get(f"{API}/slides/visual")).json()["digest"]
    with closing(Catalog.open(store)) as catalog:
        digests = catalog.resolve("visual"), catalog.resolve("ki67")
        assert RegistrationTable(catalog, METHOD).find(*digests) is not None
        assert RegistrationTable(catalog, METHOD + 1).find(*digests) is None


def test_a_registration_goes_with_either_version_re6(store: Path) -> None:
    with closing(Catalog.open(store)) as catalog:
        table, left, right = RegistrationTable(catalog, METHOD), catalog.resolve("visual"), catalog.resolve("ki67")
        for pair in ((left, right), (right, left), (left, left)):
            table.store(*pair, {"differ": "as stored"})
        trash = Trash(catalog)
        trash.put("ki67")
        trash.purge("ki67")
        catalog.collect(time.time(), lambda digest: None)
        assert [table.find(left, right), table.find(right, left)] == [None, None]
        assert table.find(left, left) is not None


async def test_a_stored_registration_is_not_made_again_re6(store: Path) -> None:
    with closing(Catalog.open(store)) as catalog:
        pair = catalog.resolve("visual"), catalog.resolve("glass")
        RegistrationTable(catalog, METHOD).store(*pair, {"differ": "as stored"})
    async with running_client(store) as at:
        answer = await at.get(path("visual", "glass"))
        assert problem(answer) == (409, "sections-differ")
        assert answer.json()["reason"] == "as stored"


async def test_sections_that_do_not_match_are_a_problem_and_stay_one_re5(at: httpx.AsyncClient, store: Path) -> None:
    assert problem(await at.get(path("visual", "glass"))) == (409, "sections-differ")
    with closing(sqlite3.connect(store / "catalog.sqlite")) as database:
        [row] = database.execute("select result from registrations").fetchall()
    assert "no tissue" in json.loads(row[0])["differ"]


async def test_both_slides_must_be_visible_re7(store: Path) -> None:
    async with clinic(store) as site:
        await hidden(site)


async def hidden(site: Clinic) -> None:
    owner, viewer = await site.signed_in("ivan"), await site.signed_in("vera")
    shares = {"public": False, "shares": [{"kind": "user", "id": site.ids["vera"], "right": "view"}]}
    assert (await owner.put(f"{API}/slides/visual/sharing", json=shares)).status_code == 200
    assert problem(await viewer.get(path("visual", "ki67"))) == (404, "unknown-slide")
    assert problem(await viewer.get(path("ki67", "visual"))) == (404, "unknown-slide")
    assert (await viewer.get(path("visual", "visual"))).status_code == 200


@pytest.fixture
def served(store: Path) -> Iterator[str]:
    with service_of(store) as url:
        yield url


def test_the_client_maps_places_between_slides_re3_pc45(served: str) -> None:
    with open_slide(f"{served}/slides/visual") as slide:
        assert is_a_quarter_turn(slide.registration("ki67"))
        with pytest.raises(SectionsDiffer):
            slide.registration("glass")
        with pytest.raises(UnknownSlide):
            slide.registration("none")


def test_the_command_registers_two_slides_re6(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "visual", "ki67", "--store", str(store)]) == 0
    said = capsys.readouterr().out
    assert "turned by 90.0 degrees" in said
    assert "px at the median of" in said
    assert main(["register", "visual", "ki67", "--store", str(store), "--json"]) == 0
    assert is_a_quarter_turn(Registration.from_json(json.loads(capsys.readouterr().out)))
    assert main(["register", "visual", "glass", "--store", str(store)]) == 2
    assert "no tissue" in capsys.readouterr().err

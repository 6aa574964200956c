"""What a user saw of slides is stored with the account, for that user alone (CV8, CV9)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.accounts import API, Clinic, clinic
from api.asking import problem
from service.world import World
from wavescope.catalog.coverage import MAX_SLIDES, SeenViews, share_seen, slides_seen, write_seen

VIEW = [12000.0, 8400.0, 2732.0, 1534.0, 0.0, 0.5, 4.2, 1]
LOG: dict[str, Any] = {"views": [VIEW], "at": [13366.0, 9167.0], "reviewed": None}
AGREED = {**LOG, "consent": True}
SEEN = f"{API}/me/coverage"
EMPTY: dict[str, Any] = {"views": [], "at": None, "reviewed": None}
NOTHING: dict[str, Any] = {"slides": [], "reviewed": [], "agreed": False, "shared": False}
MAP = f"{API}/slides/visual/coverage"


@pytest.fixture
async def at(world: World, tmp_path: Path) -> AsyncIterator[Clinic]:
    async with clinic(world.copy(tmp_path / "store").store) as opened:
        opened.own("visual", "ivan")
        opened.own("planes", "olga")
        yield opened


async def test_a_log_comes_back_to_its_user_and_to_nobody_else_cv8(at: Clinic) -> None:
    ivan, admin = await at.signed_in("ivan"), await at.signed_in("adam")
    assert (await ivan.get(f"{SEEN}/visual")).json() == EMPTY
    stored = await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert stored.status_code == 204, stored.text
    answer = await ivan.get(f"{SEEN}/visual")
    assert answer.json() == LOG
    assert answer.headers["cache-control"] == "no-store"
    assert (await ivan.get(SEEN)).json() == {**NOTHING, "slides": ["visual"], "agreed": True}
    assert (await admin.get(f"{SEEN}/visual")).json() == EMPTY
    assert (await admin.get(SEEN)).json() == NOTHING


async def test_nothing_is_stored_without_consent_and_all_is_deleted_with_it_cv8(at: Clinic) -> None:
    ivan = await at.signed_in("ivan")
    for body in (LOG, {**LOG, "consent": False}):
        assert problem(await ivan.put(f"{SEEN}/visual", json=body)) == (422, "invalid-parameter")
    assert (await ivan.get(SEEN)).json() == NOTHING
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert (await ivan.delete(SEEN)).status_code == 204
    assert (await ivan.get(SEEN)).json() == NOTHING
    assert (await ivan.get(f"{SEEN}/visual")).json() == EMPTY


async def test_a_log_that_was_cleared_is_of_no_seen_slide_and_the_consent_stays_cv8(at: Clinic) -> None:
    ivan = await at.signed_in("ivan")
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert (await ivan.put(f"{SEEN}/visual", json={**EMPTY, "consent": True})).status_code == 204
    assert (await ivan.get(SEEN)).json() == {**NOTHING, "agreed": True}


async def test_it_is_exported_with_the_account_cv8(at: Clinic) -> None:
    ivan, olga = await at.signed_in("ivan"), await at.signed_in("olga")
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    for browser, logs in ((ivan, 1), (olga, 0)):
        archive = zipfile.ZipFile(io.BytesIO((await browser.get(f"{API}/me/export")).content))
        found = json.loads(archive.read("coverage.json"))
        assert [(one["slide"], one["views"]) for one in found] == [("visual", [VIEW])] * logs


async def test_only_of_slides_that_the_user_may_view_and_gone_with_the_slide_cv9(at: Clinic) -> None:
    ivan = await at.signed_in("ivan")
    assert problem(await ivan.put(f"{SEEN}/planes", json=AGREED)) == (404, "unknown-slide")
    assert problem(await ivan.get(f"{SEEN}/nowhere")) == (404, "unknown-slide")
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert (await ivan.delete(f"{API}/slides/visual")).is_success
    assert (await ivan.delete(f"{API}/trash/visual")).is_success
    assert (await ivan.get(SEEN)).json() == NOTHING


@pytest.mark.parametrize(
    "views",
    [
        [VIEW] * 4001,
        [VIEW[:7]],
        [[*VIEW[:7], 2]],
        [[*VIEW[:2], 0, *VIEW[3:]]],
        [[*VIEW[:2], -5, *VIEW[3:]]],
        [[1e12, *VIEW[1:]]],
        [[*VIEW[:6], -1, 1]],
        ["view"],
    ],
)
async def test_what_is_no_log_is_refused_cv9(at: Clinic, views: Any) -> None:
    ivan = await at.signed_in("ivan")
    answer = await ivan.put(f"{SEEN}/visual", json={**AGREED, "views": views})
    assert problem(answer) == (422, "invalid-parameter")


async def test_a_full_log_fits_and_more_bytes_do_not_cv9(at: Clinic) -> None:
    ivan = await at.signed_in("ivan")
    assert (await ivan.put(f"{SEEN}/visual", json={**AGREED, "views": [VIEW] * 4000})).status_code == 204
    padded = json.dumps(AGREED) + " " * 500_000
    answer = await ivan.put(f"{SEEN}/visual", content=padded, headers={"content-type": "application/json"})
    assert answer.status_code == 413


async def test_of_many_slides_the_ones_changed_last_stay_cv9(at: Clinic) -> None:
    catalog = at.service.catalog
    for number in range(MAX_SLIDES + 3):
        write_seen(catalog, "u", f"s{number}", SeenViews([VIEW]))
    kept = slides_seen(catalog, "u").slides
    assert len(kept) == MAX_SLIDES
    assert kept[0] == f"s{MAX_SLIDES + 2}"
    assert "s2" not in kept


async def test_a_slide_that_was_reviewed_is_marked_until_it_is_not_cv11(at: Clinic) -> None:
    ivan = await at.signed_in("ivan")
    await ivan.put(f"{SEEN}/visual", json={**AGREED, "reviewed": 1_780_000_000})
    assert (await ivan.get(f"{SEEN}/visual")).json()["reviewed"] == 1_780_000_000
    assert (await ivan.get(SEEN)).json()["reviewed"] == ["visual"]
    for wrong in (-1, 1e300, "today"):
        answer = await ivan.put(f"{SEEN}/visual", json={**AGREED, "reviewed": wrong})
        assert problem(answer) == (422, "invalid-parameter")
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert (await ivan.get(SEEN)).json()["reviewed"] == []


async def test_coverage_is_shared_by_an_own_consent_that_can_be_withdrawn_cv12(at: Clinic) -> None:
    ivan = await at.signed_in("ivan")
    assert (await ivan.put(SEEN, json={"shared": True})).json() == NOTHING  # of nothing there is nothing to share
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert (await ivan.get(SEEN)).json()["shared"] is False
    assert (await ivan.put(SEEN, json={"shared": True})).json()["shared"] is True
    await ivan.put(f"{SEEN}/visual", json=AGREED)
    assert (await ivan.get(SEEN)).json()["shared"] is True
    assert (await ivan.get(MAP)).json()["people"] == 1
    assert (await ivan.put(SEEN, json={"shared": False})).json()["shared"] is False
    assert (await ivan.get(MAP)).json()["people"] == 0
    assert problem(await ivan.put(SEEN, json={"shared": "yes", "consent": True})) == (422, "invalid-parameter")


async def test_who_owns_a_slide_sees_how_many_saw_what_and_no_name_cv13(at: Clinic) -> None:
    ivan, vera = await at.signed_in("ivan"), await at.signed_in("vera")
    catalog = at.service.catalog
    size = catalog.get("visual").manifest
    left = [0.0, 0.0, size["width"] / 2, float(size["height"]), 0.0, 0.5, 9.0, 1]
    coarse = [0.0, 0.0, float(size["width"]), float(size["height"]), 0.0, 0.5, 9.0, 0]
    for number, views in enumerate(([left], [left, coarse], [])):
        write_seen(catalog, f"u{number}", "visual", SeenViews(views, None, 5 if number else None))
        share_seen(catalog, f"u{number}", number < 2)
    few = (await ivan.get(MAP)).json()
    assert (few["people"], few["reviewed"], few["counts"]) == (2, None, None), "of two one could tell who saw what"
    share_seen(catalog, "u2", True)
    found = (await ivan.get(MAP)).json()
    assert (found["people"], found["reviewed"]) == (3, 2)
    counts = np.array(found["counts"]).reshape(found["rows"], found["columns"])
    half = (found["columns"] + 1) // 2
    assert (counts[:, : half - 1] == 2).all()
    assert (counts[:, half:] == 0).all()
    assert not any((await ivan.get(MAP, params={"scale": 1})).json()["counts"]), "nobody saw it at that scale"
    assert (await vera.get(MAP)).status_code in (403, 404)
    assert "u0" not in (await ivan.get(MAP)).text

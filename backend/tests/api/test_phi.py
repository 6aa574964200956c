"""Label and texts: apart, closed, recorded, removable (PR41 to PR44)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API, problem
from ingest.worlds import ingested
from service.world import running_service
from source.worlds import tissue, write_svs
from wavescope.api.app import build_app
from wavescope.catalog.access.audit import AuditLog
from wavescope.errors import Unavailable
from wavescope.store.layout import StorePaths
from wavescope.store.phi import PhiStore

PNG = b"\x89PNG\r\n\x1a\n a label"
SLIDE = f"{API}/slides/s"


def stored(folder: Path, **options: Any) -> str:
    """A slide of an Aperio file in ``folder/store``, with a label beside its texts; its digest."""
    made = ingested(write_svs(folder / "Someone 1950.svs", tissue(96, 96)), folder / "store", **options)
    identity = PhiStore(StorePaths(folder / "store"))
    if not options.get("deidentify"):
        identity.write(made.digest, identity.texts(made.digest), {"label": PNG, "../../Macro": PNG})
    return made.digest


async def test_a_look_is_recorded_and_never_cached_and_what_is_dropped_is_gone_pr42_pr44(tmp_path: Path) -> None:
    digest = stored(tmp_path)
    async with running_service(tmp_path / "store") as service:
        transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            assert (await client.get(f"{SLIDE}/identity")).json() == {"images": ["label", "macro"], "texts": 4}
            log = AuditLog(service.catalog.engine)
            assert [one.entry.action for one in log.all()] == []
            label = await client.get(f"{SLIDE}/identity/images/label")
            assert (label.content, label.headers["content-type"]) == (PNG, "image/png")
            assert label.headers["cache-control"] == "no-store"
            texts = await client.get(f"{SLIDE}/identity/texts")
            assert "tiff.ImageDescription" in texts.json()["texts"]
            for name in ("nothing", "..%2f..%2fcatalog"):
                assert problem(await client.get(f"{SLIDE}/identity/images/{name}"))[0] == 404
            looks = [(one.entry.action, one.entry.slide_id, one.entry.detail["what"]) for one in log.all()]
            assert looks == [("looked at label", "s", "label"), ("looked at label", "s", "texts")]
            assert (await client.delete(f"{SLIDE}/identity")).status_code == 204
            assert (await client.get(f"{SLIDE}/identity")).json() == {"images": [], "texts": 0}
            assert not (tmp_path / "store" / "identity" / digest).exists()
            assert [one.entry.slide_id for one in log.all()] == ["s"] * 3


async def test_without_an_entry_there_is_no_look_pr42(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path)

    def full(*_: object) -> None:
        raise Unavailable("the catalog", "disk I/O error")

    async with running_service(tmp_path / "store") as service:
        monkeypatch.setattr(AuditLog, "append", full)
        transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            answer = await client.get(f"{SLIDE}/identity/images/label")
            assert problem(answer) == (503, "unavailable")
            assert PNG not in answer.content
            assert service.audit.failures == 1


def test_it_lies_apart_from_what_is_served_pr41(tmp_path: Path) -> None:
    digest = stored(tmp_path)
    store = tmp_path / "store"
    assert (store / "identity").stat().st_mode & 0o077 == 0
    for path in (store / "slides").rglob("*"):
        assert path.is_dir() or (PNG not in (content := path.read_bytes()) and b"Filename" not in content)
    assert (store / "identity" / digest / "label.png").read_bytes() == PNG


def test_a_deidentifying_ingest_keeps_nothing_and_says_what_it_dropped_pr43(tmp_path: Path) -> None:
    made = ingested(write_svs(tmp_path / "Someone 1950.svs", tissue(96, 96)), tmp_path / "store", deidentify=True)
    assert made.dropped is not None
    assert "tiff.ImageDescription" in made.dropped.texts
    assert made.manifest.source.name == "deidentified"
    assert not (tmp_path / "store" / "identity").exists()
    for path in (tmp_path / "store").rglob("*"):
        assert "Someone" not in path.name
        assert path.is_dir() or b"Someone" not in path.read_bytes()

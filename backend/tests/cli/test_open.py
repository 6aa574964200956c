"""``wavescope open``: one command from a slide file to its page."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ingest.worlds import Pixels, ingested, tissue, write_tiff
from interrupts import receive_interrupts
from service.test_jobs import FakeRunner, running
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main
from wavescope.cli.opening import run as opening
from wavescope.cli.opening.imports import page_of, wanted
from wavescope.cli.opening.running import NOTE, is_served, noted, running_address
from wavescope.cli.opening.user_store import user_store
from wavescope.errors import InvalidParameter
from wavescope.service.access.gate import LOCAL_USER

SECONDS = 120


@contextmanager
def opened(*arguments: str | Path) -> Iterator[str]:
    """The address that the command prints; it must end with 0 by Ctrl-C."""
    command = [sys.executable, "-m", "wavescope.cli", "open", *map(str, arguments), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=receive_interrupts) as child:
        try:
            assert child.stdout is not None
            yield child.stdout.readline().strip()
        finally:
            child.send_signal(signal.SIGINT)
            assert child.wait(SECONDS) == 0


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:
        content: bytes = answer.read()
    return content


def posted(address: str, picture: Pixels, folder: Path) -> bytes:
    """The answer to an upload, as the page sends it."""
    data = write_tiff(folder / "up.tif", picture).read_bytes()
    request = urllib.request.Request(address, data, {"Content-Type": "application/octet-stream"})
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        content: bytes = answer.read()
    return content


def ended_job(origin: str, job_id: str) -> Mapping[str, Any]:
    """The job after its last event."""
    last = b"{}"
    with urllib.request.urlopen(f"{origin}/api/v1/jobs/{job_id}/events", timeout=SECONDS) as answer:
        for line in answer:
            if line.startswith(b"data:"):
                last = line.partition(b":")[2]
    found: Mapping[str, Any] = json.loads(last)
    return found


@pytest.mark.slow
def test_in10_in12_in13_in14_a_file_is_shown_at_once_imported_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """IN11: without a store, in the user's data; IN15: Ctrl-C."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    store = tmp_path / "data" / "wavescope"

    def beside(file: Path) -> str:
        assert main(["open", str(file), "--no-browser"]) == 0
        return capsys.readouterr().out.removesuffix("\n")

    with opened(write_tiff(tmp_path / "Liver 01.tif", tissue(300, 300)), "--port", "0") as address:
        origin, _, job_id = address.partition("/incoming/")
        assert fetched(f"{origin}/api/v1/jobs/{job_id}/preview/thumbnail")
        assert fetched(address).startswith(b"<!doctype html>")
        slide = ended_job(origin, job_id)["slide_id"]
        assert (store / "catalog.sqlite").is_file()
        assert is_served(store)
        assert beside(write_tiff(tmp_path / "copy.tif", tissue(300, 300))) == f"{origin}/slides/{slide}"
        assert beside(write_tiff(tmp_path / "new.tif", tissue(40, 40))) == f"{origin}/slides/new"
        assert fetched(f"{origin}/api/v1/slides/new")
        uploaded = json.loads(posted(f"{origin}/api/v1/uploads?filename=up.tif", tissue(30, 50), tmp_path))
        assert ended_job(origin, uploaded["id"])["slide_id"] == "up"
    assert not (store / NOTE).exists()


async def test_in12_an_interrupted_import_goes_on_instead_of_a_second_one(tmp_path: Path) -> None:
    one = wanted(write_tiff(tmp_path / "a.tif", tissue(40, 40)))
    catalog = Catalog.open(tmp_path / "store")
    try:
        async with running(tmp_path / "store", FakeRunner()) as jobs:
            first, job_id = await page_of(catalog, jobs, one, "lossless")
            assert first == f"/incoming/{job_id}"
        async with running(tmp_path / "store", FakeRunner()) as jobs:
            assert await page_of(catalog, jobs, one, "lossless") == (first, job_id)
            assert len(await jobs.list(LOCAL_USER)) == 1
            other = wanted(write_tiff(tmp_path / "b.tif", tissue(40, 48)))
            assert (await page_of(catalog, jobs, other, ""))[1] not in (None, job_id)
    finally:
        catalog.close()


async def test_in13_a_stored_slide_is_found_by_its_content(tmp_path: Path) -> None:
    ingested(write_tiff(tmp_path / "a.tif", tissue(40, 40)), tmp_path / "store", "as-it-was")
    catalog = Catalog.open(tmp_path / "store")
    try:
        async with running(tmp_path / "store", FakeRunner()) as jobs:
            one = wanted(write_tiff(tmp_path / "other name.tif", tissue(40, 40)))
            assert await page_of(catalog, jobs, one, "") == ("/slides/as-it-was", None)
    finally:
        catalog.close()


def test_in14_a_note_of_a_service_that_is_gone_is_no_address(tmp_path: Path) -> None:
    assert running_address(tmp_path) is None
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with noted(tmp_path, closed.getsockname()[1]):
            assert running_address(tmp_path) is None
    (tmp_path / NOTE).write_text("[]")
    assert running_address(tmp_path) is None
    assert not is_served(tmp_path)


def test_in10_a_port_that_was_chosen_is_that_one_or_none() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with opening._bound(port, strict=False) as other:
            assert other.getsockname()[1] != port
        for wrong in (port, 70000):
            with pytest.raises(InvalidParameter, match="--port"):
                opening._bound(wrong, strict=True)


def test_in10_the_browser_is_opened_where_there_is_a_desktop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(webbrowser, "open", seen.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in opening.DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    assert opening.show("http://a", browser=True) is None
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert opening.show("http://b", browser=False) is None
    thread = opening.show("http://c", browser=True)
    assert thread is not None
    thread.join(SECONDS)
    assert seen == ["http://c"]
    assert capsys.readouterr().out.split() == ["http://a", "http://b", "http://c"]


def test_in11_the_store_is_where_the_system_has_data_of_users() -> None:
    home = Path.home()
    assert user_store({}, "linux") == home / ".local/share/wavescope"
    assert user_store({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/wavescope")
    assert user_store({"XDG_DATA_HOME": "relative"}, "linux") == home / ".local/share/wavescope"
    assert user_store({}, "darwin") == home / "Library/Application Support/Wavescope"


def test_in11_in15_what_cannot_be_opened_is_refused_before_anything_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert main(["open", str(tmp_path / "none.svs"), "--store", str(store)]) == 2
    assert "none.svs" in capsys.readouterr().err
    assert not store.exists()
    monkeypatch.setenv("WAVESCOPE_ACCESS", "accounts")
    assert main(["open", "--store", str(store)]) == 2
    assert "wavescope serve" in capsys.readouterr().err


def test_in5_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    project = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text()
    name, version = capsys.readouterr().out.split()
    assert name == "wavescope"
    assert f'\nversion = "{version}"\n' in project

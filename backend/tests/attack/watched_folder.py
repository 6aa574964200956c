"""A watched folder with what is no slide: good files are stored, links out of it are not, nothing holds it up."""

from __future__ import annotations

import os
import time

from attack.report import Findings, Workspace
from attack.service import API, Service
from source.worlds import tissue, write_svs

FAULTS = ("hostile slide file", "link out of the watched folder")  # rows of shared/operations/faults.md
LOOK_SECONDS = 0.2
PATIENCE_SECONDS = 20.0  # a file that is not stored after so long is a fault; before, time was short


def attack(workspace: Workspace, findings: Findings) -> None:
    watched, outside = workspace.place("watched"), workspace.place("outside")
    secret = write_svs(outside / "secret.svs", tissue(100, 120, seed=5))
    (watched / "link.svs").symlink_to(secret)
    (watched / "folder").symlink_to(outside)
    (watched / "loop.svs").symlink_to(watched / "loop.svs")
    (watched / "zero.tif").symlink_to("/dev/zero")
    os.mkfifo(watched / "fifo.svs")
    (watched / "empty.svs").write_bytes(b"")
    (watched / "broken.tif").write_bytes(b"II*\0" + bytes(range(200)))
    write_svs(watched / "good.svs", tissue(150, 200))
    store = workspace.folder / "store"
    store.mkdir()
    with Service(store, "--watch", str(watched), watch_seconds="0.2") as service:
        _check_stored(service, "good", findings)
        write_svs(watched / "later.svs", tissue(130, 220, seed=2))
        _check_stored(service, "later", findings)
        ids = _ids(service)
        for name in ("link", "secret", "folder", "loop", "zero", "fifo"):
            findings.check(name not in ids, f"{name} was stored, though it leads out of the folder or is no file")
        findings.check(not service.faults(), service.faults())


def _ids(service: Service) -> set[str]:
    with service.client() as client:
        return {slide["id"] for slide in client.get(f"{API}/slides").json()["slides"]}


def _check_stored(service: Service, slide_id: str, findings: Findings) -> None:
    """Asks again and again, as long as this attack has time: a folder's watcher tells nobody."""
    begin = time.monotonic()
    while service.running and findings.left:
        if slide_id in _ids(service):
            findings.check(True, "")
            return
        time.sleep(LOOK_SECONDS)
    if service.running and time.monotonic() - begin < PATIENCE_SECONDS:
        findings.add("note", f"no time to wait until {slide_id} is stored")
    else:
        findings.check(False, f"{slide_id} beside others is not stored after {time.monotonic() - begin:.0f} s")

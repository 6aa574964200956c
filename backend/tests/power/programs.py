"""What is recorded: ``python programs.py NAME STORE``. What is acknowledged is a line on stdout."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from wavescope.access.principal import LOCAL_USER
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main
from wavescope.config import Limits
from wavescope.service.access.gate import may
from wavescope.service.events import Events
from wavescope.service.jobs.uploads import receive_file
from wavescope.service.slides.annotations import AnnotationService, RequestedChange
from wavescope.store.durable import make_directory

ACKNOWLEDGED = "acknowledged "
UPLOADED = b"u" * 700_000
PICTURE = "specimen:700x600"
POINT = {"kind": "point", "geometry": {"type": "Point", "coordinates": [1, 2]}}


def acknowledge(what: str) -> None:
    os.write(1, f"{ACKNOWLEDGED}{what}\n".encode())


def ingest(store: Path) -> None:
    if main(["ingest", PICTURE, "--id", "s", "--workers", "1", "--store", str(store)]):
        raise SystemExit("the ingest failed")
    acknowledge("slide s")


def annotate(store: Path) -> None:
    catalog = Catalog.open(store)
    annotations = AnnotationService(catalog, may, Limits(), Events())
    for number in range(4):
        asyncio.run(annotations.change(LOCAL_USER, "s", RequestedChange(f"a{number}", 0, POINT)))
        acknowledge(f"annotation a{number}")


def accounts(store: Path) -> None:
    catalog = Catalog.open(store)
    table = Accounts(catalog)
    for name in ("ada", "ben", "cem"):
        user = table.add(name, name, "admin", f"hash of {name}")
        acknowledge(f"account {name}")
    table.set_password(user.id, "another hash", keep_tokens=False)
    acknowledge("password cem")


def restore(store: Path) -> None:
    if main(["restore-backup", str(store.parent / "b.zip"), "--store", str(store)]):
        raise SystemExit("the backup was not restored")
    acknowledge("slide s")


def backup(store: Path) -> None:
    if main(["backup", str(store.parent / "b.zip"), "--pixels", "--store", str(store)]):
        raise SystemExit("no backup was made")
    acknowledge("backup b.zip")


def upload(store: Path) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield UPLOADED

    make_directory(store)
    asyncio.run(receive_file(chunks(), store / "uploads" / "job" / "file", limit=10**9, timeout=10))
    acknowledge("upload")


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))

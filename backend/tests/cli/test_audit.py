"""``wavescope audit`` as an admin types it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from cli.test_cli import Capture, refused, run, run_json
from wavescope.catalog.access.audit import AuditEntry, AuditLog
from wavescope.catalog.catalog import Catalog


def recorded(store: Path) -> Path:
    catalog = Catalog.open(store)
    entries = [AuditEntry(n * 86_400_000, "user", "u", "Ada", "", "opened", f"s{n}") for n in range(3)]
    AuditLog(catalog.engine).append(*entries, AuditEntry(10**12, "local", "", "Bob", "", "deleted", "s1"))
    catalog.close()
    return store


def test_the_log_is_listed_exported_and_verified_pr32(tmp_path: Path, capsys: Capture) -> None:
    store = ("--store", recorded(tmp_path))
    assert [one["action"] for one in run_json(capsys, "audit", "list", *store, "--limit", "2")] == ["deleted", "opened"]
    assert "Bob" in run(capsys, "audit", "list", *store, "--slide", "s1")[1].splitlines()[0]
    lines = run(capsys, "audit", "export", *store, "--until", "1970-01-02T12:00")[1].splitlines()
    assert [json.loads(line)["slide"] for line in lines] == ["s0", "s1"]
    check = run_json(capsys, "audit", "verify", *store)
    assert (check["entries"], check["fault"]) == (4, None)
    noted = f"{check['last']}:{check['head']}"
    assert run(capsys, "audit", "verify", *store, "--expect", noted)[0] == 0
    with sqlite3.connect(tmp_path / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM audit WHERE sequence = 4")
    connection.close()
    assert run(capsys, "audit", "verify", *store)[0] == 0  # cut at its end it is whole in itself
    code, out, _ = run(capsys, "audit", "verify", *store, "--expect", noted)
    assert (code, out) == (1, "DAMAGED: entry 4 is not the one that was noted\n")
    assert "TIME" not in refused(capsys, "audit", "list", *store, "--since", "yesterday")
    assert "--expect" in refused(capsys, "audit", "verify", *store, "--expect", "last")

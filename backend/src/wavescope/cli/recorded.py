"""What is done on the command line is written to the audit log too, under the name of the system's user."""

from __future__ import annotations

import getpass
import time

from wavescope.catalog.access.audit import AuditEntry, AuditLog
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.names import Names
from wavescope.service.access.audit import AuditAction
from wavescope.service.access.audit_writer import with_names


def record(catalog: Catalog, action: AuditAction, slide_id: str | None = None, **detail: str | int | bool) -> None:
    """Adds an entry; it is written when this returns."""
    now = time.time_ns() // 1_000_000
    detail = {"by": "command line", **detail}
    entry = AuditEntry(now, "local", "", system_user(), "", action, slide_id, detail)
    AuditLog(catalog.engine).append(with_names(entry, Names(catalog)))


def system_user() -> str:
    """The name of the system's user who runs the command; empty if the system knows none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a user of that number
        return ""

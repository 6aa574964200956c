"""Writing audit entries in their order, in a thread; on the disk what the catalog does not take (OP44)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from wavescope.catalog.access.audit import AuditEntry, AuditLog, AuditQuery
from wavescope.catalog.names import Thing
from wavescope.errors import CatalogAway, WavescopeError
from wavescope.logs.loggers import get_logger
from wavescope.service.outages import OUTAGES, CatalogRetry
from wavescope.store.durable import full_disk_reported, locked, sync_directory
from wavescope.store.private import AUDIT_WAITING

logger = get_logger(__name__)

NameOf = Callable[[Thing, str], str | None]
NAMED: tuple[Thing, ...] = ("case", "user", "group", "session", "recording")  # members of a detail


class AuditWriter:
    """Writes entries to ``log``, one after another. ``name_of``: the names that things have now (PR37).

    An entry waits for a catalog that does not answer. When ``retry`` allows no more waiting, as when the service stops,
    it is noted in a file of ``folder``; noted entries are stored before all later ones, also after a restart.
    """

    def __init__(
        self, log: AuditLog, retry: CatalogRetry, folder: Path, name_of: NameOf = lambda thing, thing_id: None
    ) -> None:
        self._log, self._retry, self._name_of = log, retry, name_of
        self._path = folder / AUDIT_WAITING
        self._noted = self._path.exists()
        self._thread = ThreadPoolExecutor(1, "wavescope-audit")
        self.failures = 0  # entries that could neither be written nor noted

    def start(self) -> None:
        """Stores what an earlier process noted, before all new entries."""
        if self._noted:
            self._thread.submit(self._attempt, "store noted audit entries", self._store_noted)

    def put(self, entry: AuditEntry, unless_within: int = 0) -> Future[None]:
        """Adds an entry; the result comes when it is on a disk. ``unless_within``: milliseconds in which a like one
        stands for it (0: none does).
        """
        written = self._thread.submit(self._write, entry, unless_within)
        written.add_done_callback(self._notice)
        return written

    def stop(self) -> None:
        """Returns when all entries are written or noted."""
        self._thread.shutdown()

    def _write(self, entry: AuditEntry, unless_within: int) -> None:
        away = self._noted and self._retry.stopped  # a moment ago, and the service is to end
        if away or not self._attempt("write an audit entry", lambda: self._store(entry, unless_within)):
            self._note(entry)

    def _attempt(self, what: str, work: Callable[[], None]) -> bool:
        """Whether the catalog answered in time."""
        try:
            self._retry.run_blocking(what, work)
        except OUTAGES:
            return False
        return True

    def _store(self, entry: AuditEntry, unless_within: int) -> None:
        if self._noted:
            self._store_noted()
        titled = with_names(entry, self._name_of)
        if unless_within:
            self._log.append_unless_repeated(titled, unless_within)
        else:
            self._log.append(titled)

    def _store_noted(self) -> None:
        """Moves the noted entries into the log, each once."""
        with locked(self._path, "noted audit entries", wait=True):
            entries = [with_names(entry, self._name_of) for entry in self._read()]
            if entries:
                times = [entry.time for entry in entries]
                stored = self._log.all(AuditQuery(since=min(times), until=max(times) + 1))
                known = [record.entry for record in stored]  # of an attempt that ended before the file was removed
                self._log.append(*(entry for entry in entries if entry not in known))
                logger.info("noted audit entries stored", entries=len(entries))
            self._path.unlink()
            sync_directory(self._path.parent)
        self._noted = False

    def _note(self, entry: AuditEntry) -> None:
        """On the disk when this returns. Raises StoreFull, OSError."""
        with locked(self._path, "noted audit entries", wait=True), full_disk_reported(self._path):
            with self._path.open("ab", buffering=0) as file:
                size = file.tell()
                try:
                    file.write(json.dumps(asdict(entry)).encode() + b"\n")
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(size)
                    raise
            sync_directory(self._path.parent)
        self._noted = True
        logger.warning("audit entry noted on disk")

    def _read(self) -> list[AuditEntry]:
        """The noted entries; one that was not written completely is counted as lost."""
        found = []
        for line in self._path.read_bytes().splitlines():
            try:
                found.append(AuditEntry(**json.loads(line)))
            except (ValueError, TypeError):
                self._lost(None)
        return found

    def _notice(self, written: Future[None]) -> None:
        if (error := written.exception()) is not None:
            self._lost(error)

    def _lost(self, error: BaseException | None) -> None:
        self.failures += 1
        logger.error("audit entry lost", exc_info=error)


def with_names(entry: AuditEntry, name_of: NameOf) -> AuditEntry:
    """The entry with its slide's title, and with names in place of the ids in its detail, as they are now; not for what
    the act names itself, and for what is gone (PR37).
    """
    detail = dict(entry.detail)
    try:
        if entry.slide_id is not None and "title" not in detail:
            title = name_of("slide", entry.slide_id)
            detail = detail if title is None else {"title": title, **detail}
        for thing in NAMED:
            named = str(detail.get(thing, ""))
            name = name_of(thing, named) if named else None
            if name is not None:
                detail |= {thing: name, f"{thing}_id": named}
    except CatalogAway:
        raise
    except WavescopeError:  # an entry without names is better than none
        return entry
    return replace(entry, detail=detail)

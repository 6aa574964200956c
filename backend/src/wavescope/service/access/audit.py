"""The audit log for the other modules, which only call ``record``. Writing waits in a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Literal

from wavescope.caches import BoundedCache
from wavescope.catalog.access.audit import PRUNED, SERVICE, AuditEntry, AuditLog, AuditQuery, AuditRecord
from wavescope.errors import CatalogAway, InvalidParameter
from wavescope.service.access.audit_writer import AuditWriter
from wavescope.service.access.gate import Gate, Principal, require

AuditAction = Literal[
    "opened",
    "exported",
    "downloaded",
    "looked at label",
    "label removed",
    "original downloaded",
    "original deleted",
    "uploaded",
    "overlay changed",
    "overlay deleted",
    "overlay restored",
    "reencoded",
    "presigned",
    "renamed",
    "calibrated",
    "calibration removed",
    "deleted",
    "restored",
    "purged",
    "shared",
    "link made",
    "link revoked",
    "link opened",
    "link refused",
    "signed in",
    "sign-in failed",
    "signed out",
    "password changed",
    "proof refused",
    "second factor begun",
    "second factor turned on",
    "second factor turned off",
    "second factor reset",
    "recovery codes made",
    "token made",
    "token revoked",
    "user made",
    "user changed",
    "group changed",
    "platform added",
    "platform removed",
    "platform invited",
    "session started",
    "session joined",
    "session ended",
    "session recorded",
    "account exported",
    "backup made",
    "backup restored",
    "catalog rebuilt",
]
ACTIONS = (*AuditAction.__args__, PRUNED)  # type: ignore[attr-defined]
Addresses = Literal["full", "network", "none"]
HOUR = 3600.0
WRITTEN_SECONDS = 10.0  # for which a request waits for its entry
CACHED = 65536  # pairs of principal and slide whose opening was recorded within the hour
PAGE = 500

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""The client address of the current request; set by the outermost middleware."""


class AuditService:
    """Who did what. ``addresses``: how much of an address is stored. Entries are written in their order (OP44)."""

    def __init__(
        self,
        log: AuditLog,
        gate: Gate,
        writer: AuditWriter,
        addresses: str,
        retention_seconds: float,
    ) -> None:
        if addresses not in ("full", "network", "none"):
            raise InvalidParameter("audit_addresses", addresses, "full, network or none")
        self._log, self._gate, self._writer = log, gate, writer
        self._addresses, self._retention_seconds = addresses, retention_seconds
        self._opened: BoundedCache[tuple[str, str, str, str], float] = BoundedCache(CACHED)

    @property
    def failures(self) -> int:
        """Entries that were lost."""
        return self._writer.failures

    def start(self) -> None:
        """Stores entries that an earlier process could not store."""
        self._writer.start()

    def record(
        self, principal: Principal, action: AuditAction, slide_id: str | None = None, **detail: str | int | bool | None
    ) -> Future[None]:
        """Adds an entry, which is written later."""
        return self._writer.put(self._entry(principal, action, slide_id, detail))

    def _entry(
        self,
        principal: Principal,
        action: AuditAction,
        slide_id: str | None,
        detail: Mapping[str, str | int | bool | None],
    ) -> AuditEntry:
        now = time.time_ns() // 1_000_000
        address = shortened(CLIENT.get(), self._addresses)
        who = (principal.kind, identity(principal), principal.name)
        return AuditEntry(now, *who, address, action, slide_id, detail)

    async def recorded(
        self, principal: Principal, action: AuditAction, slide_id: str | None = None, **detail: str | int | bool | None
    ) -> None:
        """Adds an entry and returns when it is written. Raises CatalogAway after WRITTEN_SECONDS."""
        written = asyncio.wrap_future(self.record(principal, action, slide_id, **detail))
        done, _ = await asyncio.wait({written}, timeout=WRITTEN_SECONDS)
        if not done:
            raise CatalogAway("an audit entry waits to be written")
        await written

    def record_own(
        self, action: AuditAction, slide_id: str | None = None, **detail: str | int | bool | None
    ) -> Future[None]:
        """Adds an entry of what the service did by itself, without a request."""
        now = time.time_ns() // 1_000_000
        return self._writer.put(AuditEntry(now, *SERVICE, "", action, slide_id, detail))

    def opened(self, principal: Principal, slide_id: str) -> None:
        """Adds an entry once an hour for this principal and slide, at whichever node. On the fast routes: usually one
        look-up.
        """
        if not self.has_opened(principal, slide_id):
            self._opened.put(_opening(principal, slide_id), time.monotonic() + HOUR)
            self._writer.put(self._entry(principal, "opened", slide_id, {}), int(HOUR * 1000))

    def has_opened(self, principal: Principal, slide_id: str) -> bool:
        """Whether the entry of this hour is there."""
        return time.monotonic() < (self._opened.find(_opening(principal, slide_id)) or 0.0)

    async def list(
        self, principal: Principal, query: AuditQuery, before: int | None, limit: int
    ) -> tuple[AuditRecord, ...]:
        """A page of the log, the newest first. Raises Forbidden, SignInRequired, InvalidParameter."""
        require(self._gate, principal, "read audit")
        if not 1 <= limit <= PAGE:
            raise InvalidParameter("limit", limit, f"1 to {PAGE}")
        return await asyncio.to_thread(self._log.list, query, before, limit)

    def all(self, principal: Principal, query: AuditQuery) -> Iterator[AuditRecord]:
        """All that agree, the oldest first. Raises Forbidden, SignInRequired."""
        require(self._gate, principal, "read audit")
        return self._log.all(query)

    async def prune(self) -> None:
        """Removes what is older than configured."""
        before = int((time.time() - self._retention_seconds) * 1000)
        await asyncio.to_thread(self._log.prune, before)

    async def stop(self) -> None:
        """Returns when everything recorded is written, or noted on the disk."""
        await asyncio.to_thread(self._writer.stop)


def _opening(principal: Principal, slide_id: str) -> tuple[str, str, str, str]:
    return principal.kind, principal.id, principal.name, slide_id


def identity(principal: Principal) -> str:
    """An account's id; without one the ids of the capabilities held."""
    return principal.id or " ".join(sorted(one.id for one in principal.capabilities))[:128]


def shortened(address: str, precision: str) -> str:
    """A client's address, its network (24 bits of IPv4, 48 of IPv6), or nothing."""
    if precision == "none" or not address:
        return ""
    if precision == "full":
        return address[:64]
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False))

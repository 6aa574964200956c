"""The composition of one service: catalog, store, blocks, pixels, jobs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time

from wavescope.blocks.base import BlockSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.audit import AuditLog
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.cases import Cases
from wavescope.catalog.jobs import JobTable
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.catalog.tours import Tours
from wavescope.catalog.trash import Trash
from wavescope.config import Config
from wavescope.errors import StoreBusy, WavescopeError
from wavescope.service.access.accounts import AccountService
from wavescope.service.access.audit import Audit
from wavescope.service.access.authenticator import Identity
from wavescope.service.access.gate import Gate, Principal, may, require
from wavescope.service.access.grants import GrantService, grant_gate, verifier_of
from wavescope.service.access.oidc import Provider
from wavescope.service.access.sharing import SharingService
from wavescope.service.access.sharing_gate import CaseGate, SharingGate
from wavescope.service.data_export import DataExportService
from wavescope.service.exports.exports import Exports
from wavescope.service.jobs.duplicates import Duplicates
from wavescope.service.jobs.jobs import Jobs, Runner
from wavescope.service.jobs.previews import Previews
from wavescope.service.jobs.runner import ChildRunner
from wavescope.service.jobs.watch import FolderWatch
from wavescope.service.opening import open_catalog
from wavescope.service.sessions.answers import ServiceAnswers
from wavescope.service.sessions.delegated_access import DelegatedAccess
from wavescope.service.sessions.recordings import RecordingService
from wavescope.service.sessions.sessions import Sessions
from wavescope.service.slides.annotations import Annotations
from wavescope.service.slides.calibration import Calibrations
from wavescope.service.slides.cases import CaseService
from wavescope.service.slides.colour import Colours
from wavescope.service.slides.phi import PhiService
from wavescope.service.slides.pixels import PixelRenderer
from wavescope.service.slides.removal import collect_versions, sweep_ingests
from wavescope.service.slides.slides import Slides
from wavescope.service.slides.tours import TourService
from wavescope.service.slides.trash import TrashService
from wavescope.store.durable import locked, make_directory
from wavescope.store.layout import StorePaths
from wavescope.store.phi import PhiStore
from wavescope.store.private import mend

log = logging.getLogger(__name__)

COLLECT_EVERY = 300.0  # seconds
NOTE_EVERY = 30.0  # seconds, for the last uses of tokens and links


class Service:
    """All rooms of a running service; each is asked directly."""

    def __init__(self, config: Config, *, gate: Gate | None = None, runner: Runner | None = None) -> None:
        self.config = config
        limits = config.limits
        paths = StorePaths(config.store)
        make_directory(config.store)
        self.catalog = open_catalog(config)
        self.sharing_gate = SharingGate(self.catalog)
        gates: dict[str, Gate] = {"accounts": self.sharing_gate, "grants": grant_gate, "local": may}
        gate = gate or gates[config.access]
        case_gate = CaseGate(SharingTable(self.catalog))
        self._gate = gate
        self.identity = Identity(self.catalog, config.access)
        if config.access == "grants":
            self.identity.grant_of = verifier_of(config.grant_keys).read
        self.grants = GrantService(self.catalog, config.store, gate)
        self.accounts = AccountService(self.catalog, gate, config)
        self.provider = Provider(self.catalog, config) if config.oidc_issuer else None
        self.sharing = SharingService(self.catalog, gate, case_gate)
        self.source_reads = SourceReads()
        local = LocalStore(config.store, versions=limits.open_slides)
        self.blocks: BlockSource = MeasuredSource(local, self.source_reads)
        log = AuditLog(self.catalog.engine)
        self.audit = Audit(log, gate, config.audit_addresses, config.audit_seconds, self.catalog.title_of)
        self.slides = Slides(self.catalog, self.blocks, gate, limits.page_size)
        self.calibrations = Calibrations(self.catalog, gate, limits)
        self.phi = PhiService(PhiStore(paths), self.slides, gate, self.audit)
        self.trash = TrashService(Trash(self.catalog), self.slides, gate, config.trash_seconds)
        self.cases = CaseService(Cases(self.catalog), gate, case_gate)
        self.tours = TourService(Tours(self.catalog), gate, case_gate)
        self.annotations = Annotations(self.catalog, gate, limits)
        self.data_export = DataExportService(self.catalog, self.annotations, gate)
        answers = ServiceAnswers(self.catalog, gate, self.tours, self.annotations)
        recordings = RecordingTable(self.catalog)
        table = SessionTable(self.catalog)
        self.sessions = Sessions(table, recordings, answers, gate, self.audit.record)
        if config.access == "accounts":
            self.sessions.people.lent = DelegatedAccess(table, Accounts(self.catalog), gate)
        self.recordings = RecordingService(recordings, gate, self.tours)
        self.annotations.changed = self.sessions.rooms.annotated
        self.accounts.revoked = self.sharing.revoked = self.sessions.rooms.revoked
        self.identity.guest_of, self.identity.member_of = self.sessions.people.guest_of, self.sessions.people.member_of
        self.pixels = PixelRenderer(self.blocks, limits)
        self.colours = Colours(self.blocks, limits.colour_cache)
        self.exports = Exports(self.blocks, config.store / "exports", gate, limits)
        runner = runner or ChildRunner(config.store, config.catalog, config.deidentify, limits)
        self.jobs = Jobs(JobTable(self.catalog.engine), runner, config.store / "uploads", gate, limits)
        self.jobs.stored_as = Duplicates(self.catalog, gate).of
        self.previews = Previews(self.jobs, limits)
        self._collector: asyncio.Task[None] | None = None
        self._noter: asyncio.Task[None] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._held = contextlib.ExitStack()

    async def start(self) -> None:
        """Takes up unfinished jobs; begins to collect old versions."""
        await asyncio.to_thread(self._close_to_others)
        await self.grants.start()
        await asyncio.to_thread(self.exports.start)
        self.sessions.start()
        if self.config.run_jobs:
            with contextlib.suppress(StoreBusy):  # another service of this store runs the jobs
                self._held.enter_context(locked(self.config.store / "jobs.lock", "the jobs of this store"))
                await self.jobs.start()
                self._watch()
        self._collector = asyncio.create_task(self._collect_often())
        self._noter = asyncio.create_task(self._note_uses_often())

    def _close_to_others(self) -> None:
        """Private files that an older program, or hands, left open to other accounts of this machine (PR47)."""
        for path in mend(self.config.store):
            log.warning("%s can be read or changed by others, and this account cannot close it", path)

    def _watch(self) -> None:
        folder = self.config.watch
        if folder is not None:
            watch = FolderWatch(folder, self.jobs, self.config.store / "watched.json", self.config.watch_seconds)
            self._watcher = asyncio.create_task(watch.run())

    async def stop(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
        for task in (self._collector, self._noter):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self.sessions.stop()
        await self.previews.stop()
        await self.jobs.stop()
        await self.exports.stop()
        await self.audit.stop()
        self._held.close()
        self.pixels.close()
        await self.blocks.close()
        self.catalog.close()

    async def check_ready(self) -> None:
        """Returns if catalog and store answer. Raises Unavailable."""
        await asyncio.to_thread(self.catalog.list, "", 1, 1)

    def check_metrics(self, principal: Principal) -> None:
        """Returns if the principal may read the metrics. Raises SignInRequired, Forbidden."""
        require(self._gate, principal, "read metrics")

    async def collect(self) -> tuple[str, ...]:
        """Removes the versions that nobody needs any more."""
        retired_before = time.time() - self.config.collect_seconds
        return await asyncio.to_thread(
            collect_versions, self.catalog, self.config.store, retired_before, self.blocks.forget
        )

    def public(self, slide_id: str) -> bool:
        """Whether anybody may keep what is answered of the slide: there are no accounts, or everybody may see it."""
        mode = self.config.access
        return mode == "local" or (mode == "accounts" and self.sharing_gate.sharing(slide_id).public)

    async def _note_uses_often(self) -> None:
        while True:
            await asyncio.sleep(NOTE_EVERY)
            with contextlib.suppress(WavescopeError):
                await asyncio.to_thread(self.identity.write_uses)

    async def _collect_often(self) -> None:
        while True:
            with contextlib.suppress(WavescopeError, OSError):  # a busy database, a read-only disk: next time
                self.exports.sweep()
                await self.sessions.rooms.sweep()
                await self.previews.sweep()
                await self.trash.purge_old()
                await self.audit.prune()
                await self.collect()
                await asyncio.to_thread(sweep_ingests, self.catalog, self.config.store)
            with contextlib.suppress(WavescopeError, OSError):  # on its own: whatever failed before
                await asyncio.to_thread(self.exports.sweep_abandoned)
                await self.jobs.sweep()
            await asyncio.sleep(COLLECT_EVERY)

"""The composition of a service: all parts, made in order by their constructors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wavescope.blocks.base import BlockSource
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.blocks.traced import TracedSource
from wavescope.caches import CountedCache
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.audit import AuditLog
from wavescope.catalog.access.keys import SigningKeys
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import ClusterKeys
from wavescope.catalog.cluster.nodes import NodeTable
from wavescope.catalog.names import Names
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.overlays import OverlayTable
from wavescope.catalog.quizzes import Quizzes
from wavescope.catalog.registrations import RegistrationTable
from wavescope.catalog.sessions.leases import LeaseTable
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.catalog.statement_spans import trace_statements
from wavescope.catalog.tours import Tours
from wavescope.catalog.trash import Trash
from wavescope.config import Config
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.accounts import AccountService
from wavescope.service.access.audit import AuditService
from wavescope.service.access.audit_writer import AuditWriter
from wavescope.service.access.authenticator import Authenticator
from wavescope.service.access.credentials import CredentialChecker
from wavescope.service.access.gate import Gate, may
from wavescope.service.access.grants import GrantService, OwnGrants, grant_gate, verifier_of
from wavescope.service.access.limiter import SharedLimiter
from wavescope.service.access.oidc import OidcProvider, OidcService
from wavescope.service.access.second_factor import SecondFactorService
from wavescope.service.access.sharing import SharingService
from wavescope.service.access.sharing_gate import CaseGate, SharingGate, SlideVisibility
from wavescope.service.access.usage import UsageTracker
from wavescope.service.access.user_imports import UserImportService
from wavescope.service.data_export import DataExportService
from wavescope.service.events import Events
from wavescope.service.exports.exports import ExportService, ExportSources
from wavescope.service.extensions import Extension, extensions
from wavescope.service.health import HealthService
from wavescope.service.jobs.cluster.environment import TOPIC, announcing, cluster_environment, dask_runner, job_queue
from wavescope.service.jobs.dicom.instances import InstanceUploads
from wavescope.service.jobs.duplicates import Duplicates
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.previews import PreviewService
from wavescope.service.jobs.records import JobRecords
from wavescope.service.jobs.reencode import ReencodeService
from wavescope.service.jobs.resumable import ResumableUploads
from wavescope.service.jobs.runner import ChildRunner
from wavescope.service.jobs.runs import Runner
from wavescope.service.jobs.traced import TracedRunner
from wavescope.service.lti.choosing import Choosable, ChoosingService
from wavescope.service.lti.courses import CourseService
from wavescope.service.lti.keys import ToolKeys
from wavescope.service.lti.launches import LaunchService
from wavescope.service.lti.registration import PlatformService
from wavescope.service.lti.scores import ScoreService
from wavescope.service.lti.tool import LearningTool
from wavescope.service.nodes import announcements
from wavescope.service.nodes.liveness import SILENT_SECONDS
from wavescope.service.nodes.load import LoadAgent, LoadMeter
from wavescope.service.nodes.node import Node
from wavescope.service.nodes.peers import Peers, node_peers
from wavescope.service.opening import open_catalog, open_spans
from wavescope.service.outages import Backoff, CatalogRetry
from wavescope.service.overlays.overlays import OverlayService
from wavescope.service.protocols.dicom.objects import DicomObjects
from wavescope.service.protocols.dicom.search import DicomSearch
from wavescope.service.push.service import PushService
from wavescope.service.sessions.admission import Admission
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.members import DelegatedAccess, DelegatedTo, Participants, delegate_all
from wavescope.service.sessions.ownership import Ownership
from wavescope.service.sessions.persistence import SessionStore
from wavescope.service.sessions.recordings import RecordingService
from wavescope.service.sessions.sessions import SessionService
from wavescope.service.slides.annotations import AnnotationService
from wavescope.service.slides.calibration import CalibrationService
from wavescope.service.slides.cases import CaseService
from wavescope.service.slides.collection import Retention, VersionCollector
from wavescope.service.slides.comments import CommentService
from wavescope.service.slides.coverage import CoverageService
from wavescope.service.slides.lookups import CatalogLookups
from wavescope.service.slides.mixes import MixService
from wavescope.service.slides.originals import OriginalService
from wavescope.service.slides.phi import PhiService
from wavescope.service.slides.quizzes import QuizService
from wavescope.service.slides.registrations import METHOD, RegistrationService
from wavescope.service.slides.slides import SlideService
from wavescope.service.slides.tours import TourService
from wavescope.service.slides.trash import TrashService
from wavescope.service.slides.versions import CatalogVersions
from wavescope.service.storage import block_source, object_backend
from wavescope.service.version_services import VersionServices
from wavescope.store.durable import make_directory
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import ORIGINALS, OVERLAYS
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend
from wavescope.store.objects.phi import phi_of
from wavescope.store.space import StoreSpace

if TYPE_CHECKING:
    from wavescope.logs.spans import Spans
    from wavescope.service.jobs.cluster.dask import DaskRunner


@dataclass(frozen=True)
class Services(VersionServices):
    """The parts of one service. ``oidc``: None where no provider is configured, ``lti``: without accounts; ``caches``:
    by name, for metrics; ``spans``: None where traces are off; ``node``: None where the service is no node of a
    cluster, and ``hop_key``, by which nodes sign what they pass on.
    """

    catalog: Catalog
    retry: CatalogRetry
    lookups: CatalogLookups
    source_reads: SourceReads
    caches: Mapping[str, CountedCache]
    spans: Spans | None
    events: Events
    node: Node | None
    peers: Peers | None
    load_agent: LoadAgent | None
    hop_key: bytes | None
    # principals and their rights
    authenticator: Authenticator
    usage: UsageTracker
    limiter: SharedLimiter
    visibility: SlideVisibility
    accounts: AccountService
    second_factor: SecondFactorService
    user_imports: UserImportService
    oidc: OidcService | None
    lti: LearningTool | None
    sharing: SharingService
    grants: GrantService
    audit: AuditService
    # slides
    slides: SlideService
    collector: VersionCollector
    trash: TrashService
    calibrations: CalibrationService
    mixes: MixService
    comments: CommentService
    coverage: CoverageService
    phi: PhiService
    registrations: RegistrationService
    originals: OriginalService
    overlays: OverlayService
    cases: CaseService
    tours: TourService
    quizzes: QuizService
    annotations: AnnotationService
    dicom: DicomObjects
    dicom_search: DicomSearch
    # work and sessions
    sessions: SessionService
    recordings: RecordingService
    exports: ExportService
    jobs: JobService
    dask: DaskRunner | None
    resumable: ResumableUploads
    instances: InstanceUploads
    previews: PreviewService
    reencoding: ReencodeService
    data_export: DataExportService
    health: HealthService
    extensions: Mapping[str, Extension]


def compose(config: Config, *, gate: Gate | None = None, runner: Runner | None = None) -> Services:
    """The parts of a service, open but not running (see ``Lifecycle``). ``gate`` and ``runner`` replace the configured
    ones. Raises CatalogMissing, CatalogDamaged, InvalidParameter, Unavailable.
    """
    limits, store, paths = config.limits, config.store, StorePaths(config.store)
    make_directory(store)
    catalog, events = open_catalog(config), Events()
    spans = open_spans(config)
    retry = CatalogRetry(Backoff(limits.database_seconds))
    node = Node.of(config, lambda: NodeTable(catalog.engine))
    hop_key = None if node is None else ClusterKeys(catalog).hop()

    sharing_gate, case_gate = SharingGate(catalog), CaseGate(SharingTable(catalog))
    gates: dict[str, Gate] = {"accounts": sharing_gate, "grants": grant_gate, "local": may}
    gate = gate or gates[config.access]
    session_table, recording_table = SessionTable(catalog), RecordingTable(catalog)
    tours = TourService(Tours(catalog), gate, case_gate)
    delegated: DelegatedTo = delegate_all
    if config.access == "accounts":
        delegated = DelegatedAccess(session_table, Accounts(catalog), gate, tours.is_visible)
    participants = Participants(session_table, delegated, limits.guest_seconds)
    usage = UsageTracker(catalog)
    keys = SigningKeys(catalog, store)
    grant_of = verifier_of(config.grant_keys).read if config.access == "grants" else OwnGrants(keys).read
    authenticator = Authenticator(catalog, config.access, usage, participants, grant_of)
    log = AuditLog(catalog.engine)
    writer = AuditWriter(log, retry, store, Names(catalog))
    audit = AuditService(log, gate, writer, config.audit_addresses, config.audit_seconds)
    limiter = SharedLimiter(config.rate_storage)
    checker = CredentialChecker(catalog, config, limiter)
    accounts = AccountService(catalog, gate, config, events, usage, checker)
    provider = OidcProvider(catalog, config) if config.oidc_issuer else None

    visibility = SlideVisibility(config.access, sharing_gate)
    source_reads = SourceReads()
    peers = node_peers(config, node, catalog, keys)
    stored, stored_caches = block_source(config, peers)
    blocks: BlockSource = MeasuredSource(stored, source_reads)
    if spans is not None:
        blocks = TracedSource(blocks, spans)
        trace_statements(catalog.engine, spans)
    pixels, colours = PixelRenderer(blocks, limits), ColourService(blocks, limits.colour_cache)
    lookups = CatalogLookups()
    slides = SlideService(catalog, blocks, gate, limits.page_size)
    retention = Retention(config.collect_seconds, config.trash_seconds, limits.ingest_seconds)
    collector = VersionCollector(catalog, store, retention, events, object_backend(config))
    annotations = AnnotationService(catalog, gate, limits, events)

    annotation_table = AnnotationTable(
        catalog.engine, max_objects=limits.annotations, max_classes=limits.annotation_classes
    )
    environment = Environment(catalog, gate, tours, annotation_table, audit.record)
    session_store = SessionStore(session_table, recording_table, retry)
    ownership = None if node is None else Ownership(LeaseTable(catalog, SILENT_SECONDS), node, session_store)
    admission = Admission(session_store, limiter)  # counts with the other nodes of a cluster (CL15)
    sessions = SessionService(session_store, environment, participants, limits, ownership, admission)
    dask = None if runner else dask_runner(config, catalog, node, ChildRunner(config))
    runner = runner or dask or ChildRunner(config)
    if spans is not None:
        runner = TracedRunner(runner, spans)
    stored_as = Duplicates(catalog, gate).of
    queue = job_queue(config, catalog, node)
    records = JobRecords(queue, store / "uploads", retry, limits.database_request_seconds, announcing(node))
    jobs = JobService(records, runner, gate, limits, stored_as, cluster=cluster_environment(config, queue, dask))
    if node is not None:
        node.channel.subscribe(TOPIC, jobs.announced, jobs.announced)

    versions = CatalogVersions(catalog, lookups, authenticator, slides, visibility, blocks)
    dicom = DicomObjects(catalog, gate, lookups, versions, slides)
    push = PushService(versions.open, blocks, limits)
    events.annotations_changed.subscribe(sessions.annotated)
    events.rights_revoked.subscribe(sessions.revoked)
    events.rights_revoked.subscribe(push.revoked)
    registrations = RegistrationService(RegistrationTable(catalog, METHOD), catalog, gate, pixels, blocks)
    events.version_removed.subscribe(blocks.forget)
    events.version_removed.subscribe(registrations.forget)
    events.version_removed.subscribe(versions.forget)
    events.version_removed.subscribe(push.forget)
    if node is not None:
        announcements.connect(events, node.channel, catalog.forget)

    cases, quizzes = CaseService(Cases(catalog), gate, case_gate), QuizService(Quizzes(catalog), gate, case_gate)
    sharing, lti = SharingService(catalog, gate, case_gate, events, usage), None
    if config.access == "accounts":
        tool_keys, choosable = ToolKeys(catalog, store), Choosable(slides, tours, cases, quizzes)
        lti = LearningTool(
            tool_keys,
            PlatformService(catalog, gate),
            LaunchService(catalog, accounts, audit),
            ChoosingService(catalog, choosable, sharing, tool_keys),
            ScoreService(catalog, tool_keys),
            CourseService(catalog, quizzes, tool_keys),
        )

    export_sources = ExportSources(blocks, annotations, object_backend(config) or FolderBackend(store))
    return Services(
        config=config,
        catalog=catalog,
        retry=retry,
        lookups=lookups,
        versions=versions,
        blocks=blocks,
        source_reads=source_reads,
        spans=spans,
        caches={**pixels.caches, "colours": colours.cache, **stored_caches},
        events=events,
        node=node,
        peers=peers,
        load_agent=LoadAgent(LoadMeter(), config.listen_host, config.agent_port) if config.agent_port else None,
        hop_key=hop_key,
        authenticator=authenticator,
        usage=usage,
        limiter=limiter,
        visibility=visibility,
        accounts=accounts,
        second_factor=SecondFactorService(catalog, gate, events, checker, accounts),
        user_imports=UserImportService(catalog, gate, checker, limits.imported_accounts),
        oidc=None if provider is None else OidcService(provider, config.oidc_issuer, accounts, audit),
        lti=lti,
        sharing=sharing,
        grants=GrantService(keys, gate, visibility.is_public),
        audit=audit,
        slides=slides,
        collector=collector,
        trash=TrashService(Trash(catalog), slides, gate, audit, config.trash_seconds, collector),
        calibrations=CalibrationService(catalog, gate, limits),
        mixes=MixService(catalog, gate),
        comments=CommentService(catalog, gate, limits),
        coverage=CoverageService(catalog, gate),
        registrations=registrations,
        phi=PhiService(phi_of(paths, object_backend(config)), slides, gate, audit),
        originals=OriginalService(
            OriginalTable(catalog), files_at(paths, object_backend(config), ORIGINALS), gate, audit, collector
        ),
        overlays=OverlayService(
            OverlayTable(catalog), files_at(paths, object_backend(config), OVERLAYS), gate, limits.region_pixels
        ),
        cases=cases,
        tours=tours,
        quizzes=quizzes,
        annotations=annotations,
        dicom=dicom,
        dicom_search=DicomSearch(dicom.by_digest, gate),
        pixels=pixels,
        colours=colours,
        push=push,
        sessions=sessions,
        recordings=RecordingService(recording_table, gate, tours),
        exports=ExportService(export_sources, store / "exports", gate, limits, node),
        jobs=jobs,
        dask=dask,
        resumable=ResumableUploads(jobs, store / "uploads", limits, node),
        instances=InstanceUploads(jobs, store / "uploads", limits),
        previews=PreviewService(jobs, store, limits),
        reencoding=ReencodeService(catalog, jobs, gate, config),
        data_export=DataExportService(catalog, annotations, gate),
        health=HealthService(
            catalog, gate, StoreSpace(store, limits.free_bytes, limits.low_bytes), lambda: jobs.worker_alive, node
        ),
        extensions=extensions(gate, config),
    )

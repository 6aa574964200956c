"""The parts of the service as parameters of routes: a route declares the one that it uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from wavescope.api.http.fast_route import version_of
from wavescope.api.http.guest_cookie import guest_token
from wavescope.api.metrics.registry import Metrics
from wavescope.api.state import PrincipalParameter, services_of, state_of, version_services_of
from wavescope.config import Config
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.accounts import AccountService
from wavescope.service.access.audit import AuditService
from wavescope.service.access.grants import GrantService
from wavescope.service.access.oidc import OidcService
from wavescope.service.access.second_factor import SecondFactorService
from wavescope.service.access.sharing import SharingService
from wavescope.service.access.user_imports import UserImportService
from wavescope.service.composition import Services
from wavescope.service.data_export import DataExportService
from wavescope.service.exports.exports import ExportService
from wavescope.service.health import HealthService
from wavescope.service.jobs.dicom.instances import InstanceUploads
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.previews import PreviewService
from wavescope.service.jobs.reencode import ReencodeService
from wavescope.service.jobs.resumable import ResumableUploads
from wavescope.service.lti.tool import LearningTool
from wavescope.service.overlays.overlays import OverlayService
from wavescope.service.protocols.dicom.objects import DicomObjects
from wavescope.service.push.service import PushService
from wavescope.service.sessions.members import Person
from wavescope.service.sessions.recordings import RecordingService
from wavescope.service.sessions.sessions import SessionService
from wavescope.service.slides.annotations import AnnotationService
from wavescope.service.slides.calibration import CalibrationService
from wavescope.service.slides.cases import CaseService
from wavescope.service.slides.comments import CommentService
from wavescope.service.slides.coverage import CoverageService
from wavescope.service.slides.mixes import MixService
from wavescope.service.slides.originals import OriginalService
from wavescope.service.slides.phi import PhiService
from wavescope.service.slides.quizzes import QuizService
from wavescope.service.slides.registrations import RegistrationService
from wavescope.service.slides.slides import SlideService
from wavescope.service.slides.tours import TourService
from wavescope.service.slides.trash import TrashService
from wavescope.service.version_services import VersionServices
from wavescope.store.version import SlideVersion

Part = TypeVar("Part")


def _part(choose: Callable[[Services], Part]) -> Any:
    """A dependency on one part. It is a coroutine so that FastAPI calls it on the event loop, not in a thread."""

    async def provide(connection: HTTPConnection) -> Part:
        return choose(services_of(connection))

    return Depends(provide)


def _version_part(choose: Callable[[VersionServices], Part]) -> Any:
    """A dependency on one part that an edge has, too."""

    async def provide(connection: HTTPConnection) -> Part:
        return choose(version_services_of(connection))

    return Depends(provide)


ConfigParameter = Annotated[Config, _version_part(lambda services: services.config)]
ColoursParameter = Annotated[ColourService, _version_part(lambda services: services.colours)]
PixelsParameter = Annotated[PixelRenderer, _version_part(lambda services: services.pixels)]
PushParameter = Annotated[PushService, _version_part(lambda services: services.push)]

AccountsParameter = Annotated[AccountService, _part(lambda services: services.accounts)]
AnnotationsParameter = Annotated[AnnotationService, _part(lambda services: services.annotations)]
AuditParameter = Annotated[AuditService, _part(lambda services: services.audit)]
CalibrationsParameter = Annotated[CalibrationService, _part(lambda services: services.calibrations)]
CasesParameter = Annotated[CaseService, _part(lambda services: services.cases)]
CommentsParameter = Annotated[CommentService, _part(lambda services: services.comments)]
CoverageParameter = Annotated[CoverageService, _part(lambda services: services.coverage)]
DataExportParameter = Annotated[DataExportService, _part(lambda services: services.data_export)]
DicomParameter = Annotated[DicomObjects, _part(lambda services: services.dicom)]
ExportsParameter = Annotated[ExportService, _part(lambda services: services.exports)]
GrantsParameter = Annotated[GrantService, _part(lambda services: services.grants)]
HealthParameter = Annotated[HealthService, _part(lambda services: services.health)]
InstancesParameter = Annotated[InstanceUploads, _part(lambda services: services.instances)]
JobsParameter = Annotated[JobService, _part(lambda services: services.jobs)]
MixesParameter = Annotated[MixService, _part(lambda services: services.mixes)]
OriginalsParameter = Annotated[OriginalService, _part(lambda services: services.originals)]
OverlaysParameter = Annotated[OverlayService, _part(lambda services: services.overlays)]
PhiParameter = Annotated[PhiService, _part(lambda services: services.phi)]
PreviewsParameter = Annotated[PreviewService, _part(lambda services: services.previews)]
QuizzesParameter = Annotated[QuizService, _part(lambda services: services.quizzes)]
RegistrationsParameter = Annotated[RegistrationService, _part(lambda services: services.registrations)]
RecordingsParameter = Annotated[RecordingService, _part(lambda services: services.recordings)]
ReencodeParameter = Annotated[ReencodeService, _part(lambda services: services.reencoding)]
ResumableParameter = Annotated[ResumableUploads, _part(lambda services: services.resumable)]
SessionsParameter = Annotated[SessionService, _part(lambda services: services.sessions)]
SecondFactorParameter = Annotated[SecondFactorService, _part(lambda services: services.second_factor)]
SharingParameter = Annotated[SharingService, _part(lambda services: services.sharing)]
SlidesParameter = Annotated[SlideService, _part(lambda services: services.slides)]
ToursParameter = Annotated[TourService, _part(lambda services: services.tours)]
TrashParameter = Annotated[TrashService, _part(lambda services: services.trash)]
UserImportParameter = Annotated[UserImportService, _part(lambda services: services.user_imports)]


async def oidc_of(connection: HTTPConnection) -> OidcService:
    """Signing in at the provider; 404 where none is configured."""
    oidc = services_of(connection).oidc
    if oidc is None:
        raise HTTPException(404)
    return oidc


async def tool_of(connection: HTTPConnection) -> LearningTool:
    """This service as a tool of learning platforms; 404 without accounts."""
    tool = services_of(connection).lti
    if tool is None:
        raise HTTPException(404)
    return tool


OidcParameter = Annotated[OidcService, Depends(oidc_of)]
ToolParameter = Annotated[LearningTool, Depends(tool_of)]


async def metrics_of(connection: HTTPConnection) -> Metrics:
    """The counters of this application."""
    return state_of(connection).metrics


MetricsParameter = Annotated[Metrics, Depends(metrics_of)]
GuestTokenParameter = Annotated[str | None, Depends(guest_token)]


async def person_of(
    principal: PrincipalParameter, token: GuestTokenParameter, sessions: SessionsParameter
) -> Person | None:
    """Who sends the request, as live sessions know it."""
    return await sessions.participants.identify(principal, token)


PersonParameter = Annotated[Person | None, Depends(person_of)]


async def open_version(slide_id: str, digest: str, connection: HTTPConnection) -> SlideVersion:
    """The version that the path names."""
    return await version_of(connection)


VersionParameter = Annotated[SlideVersion, Depends(open_version)]

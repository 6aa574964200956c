"""What the routes of DICOMweb share: addresses, parameters of paths, the object that a path names (dicomweb.md)."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from wavescope.api.credentials import credentials_of
from wavescope.api.http.accepting import covers, media_ranges
from wavescope.api.http.addresses import service_address
from wavescope.api.http.immutable import PUBLIC, header
from wavescope.api.middleware.audit_trail import audit_opened
from wavescope.api.problems import NotAcceptable
from wavescope.api.routing import API
from wavescope.api.state import principal_of, services_of
from wavescope.service.protocols.dicom.objects import DicomObject, DicomPath

ROOT = "/dicomweb"
STUDY = ROOT + "/studies/{study}"
SERIES = STUDY + "/series/{series}"
INSTANCE = SERIES + "/instances/{instance}"
DICOM_JSON = "application/dicom+json"
DOCUMENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {DICOM_JSON: {"schema": {"type": "array", "items": {"type": "object"}}}}}
}


def dicom_parameters(*names: str, query: tuple[str, ...] = ()) -> dict[str, Any]:
    """OpenAPI parameters: texts in the path, optional texts in the query."""

    def one(name: str, where: str) -> dict[str, Any]:
        return {"name": name, "in": where, "required": where == "path", "schema": {"type": "string"}}

    return {"parameters": [*(one(name, "path") for name in names), *(one(name, "query") for name in query)]}


def dicom_root(request: Request) -> str:
    """The address of the DICOMweb service."""
    return f"{service_address(request)}{API}{ROOT}"


def accept_of(request: Request) -> str:
    """What the client accepts."""
    return (header(request, b"accept") or b"").decode("latin-1")


def require_json(request: Request) -> None:
    """Raises NotAcceptable unless the client takes DICOM JSON: there is no XML (DW19)."""
    accepted = [one for one in media_ranges(accept_of(request)) if not one.multipart]
    if not any(covers(one.media, media) for one in accepted for media in (DICOM_JSON, "application/json")):
        raise NotAcceptable(accept_of(request))


async def dicom_object(request: Request) -> DicomObject:
    """What the path names. Raises UnknownDicomObject, CorruptStore."""
    scope, path = request.scope, request.scope["path_params"]
    uids = DicomPath(path["study"], path.get("series"), path.get("instance"))
    found = await services_of(request).dicom.open(lambda: principal_of(request), credentials_of(request), uids)
    scope[PUBLIC] = found.opened.public
    audit_opened(request, found.slide_id)
    return found

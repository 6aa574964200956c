"""Uploads that can be resumed, by tus 1.0: core, creation, termination (WI95 to WI97)."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.api.forwarding.nodes import PassedOn
from wavescope.api.http.immutable import header
from wavescope.api.middleware.audit_trail import audit_detail, audit_nothing, audit_slide
from wavescope.api.parameters import ResumableParameter
from wavescope.api.problems import UnsupportedBody, UnsupportedProtocol
from wavescope.api.routes.jobs import FILE_NAME, UploadParameters
from wavescope.api.routing import API, counted, new_router
from wavescope.api.schemas.numbers import Count
from wavescope.api.state import PrincipalParameter, config_of
from wavescope.errors import InvalidParameter
from wavescope.service.jobs.resumable import Resumable

router = new_router("uploads", "reads")

VERSION = "1.0.0"
PROTOCOL = {"tus-resumable": VERSION, "cache-control": "no-store"}
UPLOADS = "/uploads/resumable"
BYTES = "application/offset+octet-stream"
METADATA_BYTES = 16 * 1024
CHUNK: dict[str, Any] = {
    "requestBody": {"required": True, "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}}}
}
PARAMETERS = TypeAdapter(UploadParameters)


class UploadView(BaseModel):
    """An upload that can be resumed."""

    id: str
    length: Count = Field(description="bytes of the file")
    offset: Count = Field(description="bytes that have arrived")
    job: str | None = Field(description="the job that the upload became, once it is complete")
    slide: str | None = Field(description="the slide of the same file, if there is no job (WI93)")


@router.api_route(UPLOADS, methods=["OPTIONS"], status_code=204)
@counted("reads")
async def describe_resumable(resumable: ResumableParameter) -> Response:
    """What the service supports of tus (WI95)."""
    more = {"tus-version": VERSION, "tus-extension": "creation,termination", "tus-max-size": str(resumable.longest)}
    return Response(status_code=204, headers=PROTOCOL | more)


@router.post(UPLOADS, status_code=201, response_class=Response)
@counted("uploads")
async def create_resumable(request: Request, resumable: ResumableParameter, principal: PrincipalParameter) -> Response:
    """Creates an upload without bytes; Upload-Metadata has the parameters of POST /uploads (WI95)."""
    check_protocol(request)
    parameters = read_metadata(header(request, b"upload-metadata") or b"")
    length = number(request, b"upload-length")
    made = await resumable.create(
        principal, length, parameters.filename, parameters.options(request), parameters.hold()
    )
    headers = PROTOCOL | {"upload-offset": "0", "location": f"{API}{UPLOADS}/{made.id}"}
    return Response(status_code=201, headers=headers)


@router.get(UPLOADS + "/{upload_id}", response_model=UploadView)
async def get_resumable(upload_id: str, resumable: ResumableParameter, principal: PrincipalParameter) -> Response:
    """How much has arrived, as headers (also by HEAD) and as JSON (WI96)."""
    if (node := resumable.elsewhere(upload_id)) is not None:
        return PassedOn(node)
    found = await resumable.get(principal, upload_id)
    view = UploadView(id=found.id, length=found.length, offset=found.offset, job=found.job, slide=found.slide)
    return JSONResponse(view.model_dump(), headers=_headers(found) | {"upload-length": str(found.length)})


@router.patch(UPLOADS + "/{upload_id}", status_code=204, response_class=Response, openapi_extra=CHUNK)
async def append_resumable(
    upload_id: str, request: Request, resumable: ResumableParameter, principal: PrincipalParameter
) -> Response:
    """Adds bytes at Upload-Offset; the last byte makes it a job, or answers the slide that it is (WI96)."""
    check_protocol(request)
    if (node := resumable.elsewhere(upload_id)) is not None:
        audit_nothing(request)
        return PassedOn(node)
    media = (header(request, b"content-type") or b"").decode("latin-1")
    if media != BYTES:
        raise UnsupportedBody(media, BYTES)
    found = await resumable.append(principal, upload_id, number(request, b"upload-offset"), request.stream())
    file = None if config_of(request).deidentify else found.filename[:FILE_NAME]
    if not found.complete:
        audit_nothing(request)
    elif found.slide is not None:
        audit_slide(request, found.slide, file=file)
    elif overlay_of := found.options.get("overlay_of"):
        audit_slide(request, overlay_of, file=file, job=found.job)
    else:
        audit_detail(request, file=file, job=found.job)
    return Response(status_code=204, headers=_headers(found))


@router.delete(UPLOADS + "/{upload_id}", status_code=204, response_class=Response)
async def delete_resumable(
    upload_id: str, request: Request, resumable: ResumableParameter, principal: PrincipalParameter
) -> Response:
    """Removes the upload and its bytes, but not the job that it became (WI97)."""
    check_protocol(request)
    if (node := resumable.elsewhere(upload_id)) is not None:
        return PassedOn(node)
    await resumable.delete(principal, upload_id)
    return Response(status_code=204, headers=PROTOCOL)


def _headers(upload: Resumable) -> dict[str, str]:
    became = f"{API}/jobs/{upload.job}" if upload.job else f"{API}/slides/{upload.slide}" if upload.slide else ""
    return PROTOCOL | {"upload-offset": str(upload.offset)} | ({"content-location": became} if became else {})


def check_protocol(request: Request) -> None:
    """Returns if the client uses the version that the service supports. Raises UnsupportedProtocol."""
    given = (header(request, b"tus-resumable") or b"").decode("latin-1")
    if given != VERSION:
        raise UnsupportedProtocol(given)


def number(request: Request, name: bytes) -> int:
    """A header that is a number of bytes. Raises InvalidParameter."""
    value = header(request, name) or b""
    if not value.isdigit() or len(value) > 18:
        raise InvalidParameter(name.decode().title(), value.decode("latin-1")[:40], "a number of bytes")
    return int(value)


def read_metadata(value: bytes) -> UploadParameters:
    """The parameters of an upload in pairs of a name and a base64 value. Raises InvalidParameter.

    ``name``, as some clients call the file's name, is ``filename``; names that are no parameters are ignored.
    """
    if len(value) > METADATA_BYTES:
        raise InvalidParameter("Upload-Metadata", f"{len(value)} bytes", f"at most {METADATA_BYTES} bytes")
    found: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in value.decode("latin-1").split(","))):
        name, _, text = pair.partition(" ")
        try:
            found[name] = base64.b64decode(text, validate=True).decode()
        except (binascii.Error, ValueError) as cause:
            raise InvalidParameter("Upload-Metadata", name[:40], "a value in base64 of UTF-8") from cause
    found.setdefault("filename", found.pop("name", ""))
    try:
        return PARAMETERS.validate_python({k: v for k, v in found.items() if k in UploadParameters.__annotations__})
    except ValidationError as cause:
        fault = cause.errors(include_url=False)[0]
        raise InvalidParameter(str(fault["loc"][0]), str(fault.get("input"))[:80], fault["msg"]) from cause

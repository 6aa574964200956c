"""Headers of requests and answers, and the operations that have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

REVISIONS = {"get_annotation", "put_annotation", "get_tour", "create_tour", "save_tour", "make_tour"}
REVISIONS |= {"get_quiz", "create_quiz", "save_quiz"}
REVISIONS |= {"get_case", "create_case", "change_case", "add_case_slides", "arrange_case_slides", "remove_case_slide"}
MUST_MATCH = {"delete_annotation", "save_tour", "delete_tour", "save_quiz", "delete_quiz"}
MAY_MATCH = {"put_annotation", "change_case", "arrange_case_slides"}
CONDITIONAL = {"get_slide", "get_thumbnail", "put_annotation"}
FILES = {"export_account", "export_audit", "get_export_file", "get_tour_file", "get_quiz_file", "get_original"}
FILES |= {"get_quiz_results_file"}

RequestHeader = tuple[str, str, str]
IF_NONE_MATCH = ("If-None-Match", "the ETag that the client has: 304 if it is still right", '"9f2c4a7be1d05583.r2"')
IF_MATCH = ("If-Match", "the revision that the change was made from", '"r3"')
REQUEST: dict[str, RequestHeader] = {
    "put_annotation": ("If-None-Match", "`*`: only create the object", "*"),
}
RANGES: tuple[RequestHeader, ...] = (
    ("Range", "one range of bytes", "bytes=0-1023"),
    ("If-Range", "the ETag for which the range holds", '"9f2c4a7be1d05583.r2"'),
)
RESPONSE: dict[str, tuple[str, Any]] = {
    "ETag": ("what the answer is, for If-None-Match; of a revision: for If-Match", '"r3"'),
    "Cache-Control": ("who may store the answer, and for how long", "public, max-age=31536000, immutable"),
    "Accept-Ranges": ("ranges of bytes can be requested", "bytes"),
    "Content-Range": ("which bytes of how many", "bytes 0-1023/52344"),
    "Content-Disposition": ("the name of the file", 'attachment; filename="biopsy-7.tiff"'),
    "Repr-Digest": ("the SHA-256 of the answer (RFC 9530)", "sha-256=:Jok2eyBcFs4y7UIAlCuLix4mLfxw2byfvHfElpmk8d8=:"),
    "Location": ("the address of what was made, or of the current version", "/api/v1/jobs/0f8d4a1c9e7b42d3"),
    "Retry-After": ("seconds after which the client may try again", 1),
    "Tus-Resumable": ("the version of the protocol", "1.0.0"),
    "Tus-Version": ("the versions that the service supports", "1.0.0"),
    "Tus-Extension": ("the extensions that the service supports", "creation,termination"),
    "Tus-Max-Size": ("the longest upload in bytes", 68719476736),
    "Upload-Offset": ("how many bytes the service has", 1048576),
    "Upload-Length": ("how many bytes the file has", 536870912),
    "Content-Location": ("the address of the job, or of the slide, that the upload became", "/api/v1/jobs/0f8d4a1c"),
}
STATUSES: dict[str, tuple[str, ...]]
STATUSES = {"201": ("Location",), "202": ("Location",), "307": ("Location", "Cache-Control"), "303": ("Location",)}
STATUSES |= {"429": ("Retry-After",), "503": ("Retry-After",), "416": ("Content-Range",)}
WITHOUT_LOCATION = {
    "put_annotation",
    "create_token",
    "create_user",
    "create_group",
    "create_slide_link",
    "create_case_link",
}
TUS: dict[tuple[str, str], tuple[str, ...]] = {
    ("describe_resumable", "204"): ("Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size"),
    ("create_resumable", "201"): ("Tus-Resumable", "Upload-Offset", "Location"),
    ("get_resumable", "200"): ("Tus-Resumable", "Upload-Offset", "Upload-Length", "Content-Location", "Cache-Control"),
    ("append_resumable", "204"): ("Tus-Resumable", "Upload-Offset", "Content-Location"),
    ("delete_resumable", "204"): ("Tus-Resumable",),
}
TUS_REQUEST: dict[str, tuple[tuple[RequestHeader, bool], ...]] = {
    "create_resumable": (
        (("Tus-Resumable", "the version of the protocol: 1.0.0", "1.0.0"), True),
        (("Upload-Length", "how many bytes the file has", "536870912"), True),
        (("Upload-Metadata", "the parameters of POST /uploads, values in base64", "filename YS5zdnM="), True),
    ),
    "append_resumable": (
        (("Tus-Resumable", "the version of the protocol: 1.0.0", "1.0.0"), True),
        (("Upload-Offset", "how many bytes the service has already", "1048576"), True),
    ),
    "delete_resumable": ((("Tus-Resumable", "the version of the protocol: 1.0.0", "1.0.0"), True),),
}  # fmt: skip


def request_headers(name: str, responses: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The headers that an operation reads, as parameters."""
    ranges = "206" in responses
    if name in MUST_MATCH or name in MAY_MATCH:
        yield _parameter(IF_MATCH, name in MUST_MATCH)
    if name in CONDITIONAL or "304" in responses:
        yield _parameter(REQUEST.get(name, IF_NONE_MATCH), False)
    for one in RANGES if ranges else ():
        yield _parameter(one, False)
    for header, required in TUS_REQUEST.get(name, ()):
        yield _parameter(header, required)


def _parameter(header: RequestHeader, required: bool) -> dict[str, Any]:
    name, text, example = header
    schema = {"type": "string"}
    return {
        "name": name,
        "in": "header",
        "required": required,
        "schema": schema,
        "description": text,
        "example": example,
    }


def describe_responses(name: str, responses: dict[str, dict[str, Any]]) -> None:
    """Adds the headers of an operation's answers."""
    conditional = "304" in responses
    for status, response in responses.items():
        names = [*TUS.get((name, status), STATUSES.get(status, ()))]
        if name in WITHOUT_LOCATION and status == "201":
            names.remove("Location")
        if status in ("200", "201", "204") and (name in REVISIONS or (conditional and status != "201")):
            names.append("ETag")
        if status in ("200", "204", "206", "304") and conditional:
            names.append("Cache-Control")
        if status in ("200", "206") and "206" in responses:
            names.append("Accept-Ranges")
        if status == "206":
            names += ["ETag", "Content-Range"]
        if status == "304":
            names.append("ETag")
        if status == "200" and name == "get_slide":
            names.append("Repr-Digest")
        if status == "200" and name in FILES:
            names.append("Content-Disposition")
        if names:
            response["headers"] = {one: _header(one) for one in dict.fromkeys(names)} | response.get("headers", {})


def _header(name: str) -> dict[str, Any]:
    text, example = RESPONSE[name]
    return {
        "description": text,
        "schema": {"type": "integer" if isinstance(example, int) else "string"},
        "example": example,
    }

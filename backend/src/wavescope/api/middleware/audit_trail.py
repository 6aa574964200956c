"""Which requests are recorded in the audit log: one table from route to act (PR36), used after the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.types import Scope

from wavescope.api.middleware.request_log import PASSED_ON, CompletedRequest
from wavescope.api.routing import API
from wavescope.api.state import PRINCIPAL
from wavescope.service.access.audit import AuditAction, AuditService
from wavescope.service.access.gate import ANONYMOUS

PART = "wavescope.part_of_act"  # the key of a request that is only a part of an act
DETAIL = "wavescope.audited"  # the key of what a route adds, in a request's scope
ALSO = "wavescope.also_audited"  # the key of a second act of a request
SLIDES = "wavescope.audited_slides"  # the key of slides that the path does not name, with what is added to each
OPENED = "wavescope.opened"  # the key of the slide that a request opens and its path does not name
SLIDE = API + "/slides/{slide_id}"
VERSION = SLIDE + "/v/"
FAILED = 400

ACTS: Mapping[tuple[str, str], AuditAction] = {
    ("PATCH", SLIDE): "renamed",
    ("PATCH", API + "/slides"): "renamed",
    ("POST", SLIDE + "/reencode"): "reencoded",
    ("PUT", SLIDE + "/calibration"): "calibrated",
    ("DELETE", SLIDE + "/calibration"): "calibration removed",
    ("DELETE", SLIDE): "deleted",
    ("DELETE", API + "/trash"): "purged",
    ("DELETE", API + "/trash/{slide_id}"): "purged",
    ("POST", API + "/trash/{slide_id}/restore"): "restored",
    ("POST", VERSION + "{digest}/exports"): "exported",
    ("POST", VERSION + "{digest}/archive"): "exported",
    ("GET", API + "/exports/{export_id}/file"): "downloaded",
    ("POST", API + "/uploads"): "uploaded",
    ("POST", SLIDE + "/overlays"): "uploaded",
    ("PATCH", SLIDE + "/overlays/{overlay_id}"): "overlay changed",
    ("DELETE", SLIDE + "/overlays/{overlay_id}"): "overlay deleted",
    ("POST", SLIDE + "/overlays/{overlay_id}/restore"): "overlay restored",
    ("POST", API + "/dicomweb/studies"): "uploaded",
    ("POST", API + "/dicomweb/studies/{study}"): "uploaded",
    ("PATCH", API + "/uploads/resumable/{upload_id}"): "uploaded",
    ("PUT", SLIDE + "/sharing"): "shared",
    ("PUT", API + "/cases/{case_id}/sharing"): "shared",
    ("POST", SLIDE + "/links"): "link made",
    ("POST", API + "/cases/{case_id}/links"): "link made",
    ("DELETE", API + "/links/{link_id}"): "link revoked",
    ("POST", API + "/links/open"): "link opened",
    ("POST", API + "/sign-in"): "signed in",
    ("POST", API + "/sign-out"): "signed out",
    ("PUT", API + "/account/password"): "password changed",
    ("POST", API + "/account/tokens"): "token made",
    ("DELETE", API + "/account/tokens/{token_id}"): "token revoked",
    ("POST", API + "/account/second-factor"): "second factor begun",
    ("POST", API + "/sign-in/second-factor"): "second factor begun",
    ("POST", API + "/account/second-factor/confirm"): "second factor turned on",
    ("POST", API + "/account/second-factor/recovery-codes"): "recovery codes made",
    ("POST", API + "/account/second-factor/turn-off"): "second factor turned off",
    ("DELETE", API + "/users/{user_id}/second-factor"): "second factor reset",
    ("POST", API + "/users"): "user made",
    ("POST", API + "/users/import"): "user made",
    ("PATCH", API + "/users/{user_id}"): "user changed",
    ("POST", API + "/groups"): "group changed",
    ("PATCH", API + "/groups/{group_id}"): "group changed",
    ("DELETE", API + "/groups/{group_id}"): "group changed",
    ("POST", API + "/lti/platforms"): "platform added",
    ("GET", API + "/lti/register"): "platform added",
    ("DELETE", API + "/lti/platforms/{platform_id}"): "platform removed",
    ("POST", API + "/lti/invitations"): "platform invited",
    ("POST", API + "/sessions"): "session started",
    ("POST", API + "/sessions/{code}/join"): "session joined",
    ("POST", API + "/sessions/{session_id}/end"): "session ended",
    ("DELETE", API + "/sessions/{session_id}"): "session ended",
    ("GET", API + "/me/export"): "account exported",
}
FAILURES: Mapping[tuple[str, str, int], AuditAction] = {
    ("POST", API + "/sign-in", 401): "sign-in failed",
    ("POST", API + "/sign-in/second-factor", 401): "sign-in failed",
    ("PUT", API + "/account/password", 401): "proof refused",
    ("POST", API + "/account/second-factor", 401): "proof refused",
    ("POST", API + "/account/second-factor/confirm", 401): "proof refused",
    ("POST", API + "/account/second-factor/recovery-codes", 401): "proof refused",
    ("POST", API + "/account/second-factor/turn-off", 401): "proof refused",
    ("POST", API + "/links/open", 404): "link refused",
}


def audit_detail(request: Request, **detail: str | int | bool | None) -> None:
    """Called by a route: adds to the audit entry of its request. Never a secret."""
    request.scope.setdefault(DETAIL, {}).update({name: value for name, value in detail.items() if value is not None})


def audit_nothing(request: Request) -> None:
    """Called by a route: this request is only a part of an act, which another request ends."""
    request.scope[PART] = True


def audit_slide(request: Request, slide_id: str, **detail: str | int | bool | None) -> None:
    """Called by a route whose path does not name the slide: the act concerns this slide; each has an entry."""
    request.scope.setdefault(SLIDES, []).append((slide_id, detail))


def audit_opened(request: Request, slide_id: str) -> None:
    """Called by a route whose path does not name the slide: reading this one is opening it (PR36)."""
    request.scope[OPENED] = slide_id


def audit_also(request: Request, action: AuditAction) -> None:
    """Called by a route: its request does this too; an entry of its own."""
    request.scope[ALSO] = action


def audit_each(request: Request, details: list[dict[str, str]]) -> None:
    """Called by a route that does the same act several times: an entry for each."""
    request.scope[SLIDES] = [(None, detail) for detail in details]


class Recorder:
    """Turns answered requests into entries."""

    def __init__(self, audit: AuditService) -> None:
        self._audit = audit

    def __call__(self, scope: Scope, completed: CompletedRequest) -> None:
        """A request is over."""
        if PASSED_ON in scope:  # the other node records it
            return
        route, method, status, attachment = completed[:4]
        if status >= FAILED:
            failed = FAILURES.get((method, route, status))
            principal = scope.get(PRINCIPAL, ANONYMOUS)
            if failed is not None and (principal.user or failed != "proof refused"):
                self._audit.record(principal, failed, None, **scope.get(DETAIL, {}))
            return
        act = ACTS.get((method, route))
        if act is None and attachment:
            act = "downloaded"
        if PART in scope:
            return
        if act is not None:
            self._record(scope, act)
            if ALSO in scope:
                self._audit.record(scope.get(PRINCIPAL, ANONYMOUS), scope[ALSO])
        elif method == "GET" and (route == SLIDE or route.startswith(VERSION)):
            self._audit.opened(scope.get(PRINCIPAL, ANONYMOUS), scope["path_params"]["slide_id"])
        elif method == "GET" and OPENED in scope:
            self._audit.opened(scope.get(PRINCIPAL, ANONYMOUS), scope[OPENED])

    def _record(self, scope: Scope, act: AuditAction) -> None:
        parameters: dict[str, Any] = dict(scope.get("path_params", {}))
        slide_id = parameters.pop("slide_id", None)
        parameters.pop("digest", None)
        parameters.pop("code", None)  # anyone who knows it may join
        detail = {name.removesuffix("_id"): str(value)[:128] for name, value in parameters.items()}
        detail |= scope.get(DETAIL, {})
        for slide, more in scope.get(SLIDES, [(slide_id, {})]):
            self._audit.record(scope.get(PRINCIPAL, ANONYMOUS), act, slide, **{**detail, **more})

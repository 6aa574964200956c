"""What the answers of a service mean: problems as the error classes of this package (WI30, WI90). Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from wavescope import errors
from wavescope.errors import WavescopeError
from wavescope.errors.base import rebuild_error
from wavescope.geometry import Address

Members = Mapping[str, Any]
MAX_BYTES = 1 << 20  # of a problem
MAX_SECONDS = 86400.0  # of Retry-After


class Refused(WavescopeError):
    """An answer that no class of ``wavescope.errors`` stands for. ``problem``: its name, empty if it has none."""

    def __init__(self, status: int, problem: str, detail: str) -> None:
        super().__init__(f"the service answers {status}{' ' + problem if problem else ''}: {detail}")
        self.status, self.problem, self.detail = status, problem, detail


class BadAnswer(WavescopeError):
    """An answer that is cut, too long, or not what the contract says."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"the answer of {url} cannot be read: {reason}")
        self.url, self.reason = url, reason


_NAMED: Mapping[str, type[WavescopeError]] = {
    "invalid-parameter": errors.InvalidParameter,
    "out-of-range": errors.OutOfRange,
    "invalid-image-request": errors.InvalidImageRequest,
    "unknown-slide": errors.UnknownSlide,
    "unknown-case": errors.UnknownCase,
    "invalid-nesting": errors.InvalidNesting,
    "unknown-dicom-object": errors.UnknownDicomObject,
    "unknown-tour": errors.UnknownTour,
    "unknown-quiz": errors.UnknownQuiz,
    "unknown-attempt": errors.UnknownAttempt,
    "unknown-question": errors.UnknownQuestion,
    "attempt-over": errors.AttemptOver,
    "answer-given": errors.AnswerGiven,
    "no-attempts-left": errors.NoAttemptsLeft,
    "unknown-label": errors.UnknownLabel,
    "unknown-original": errors.UnknownOriginal,
    "unknown-overlay": errors.UnknownOverlay,
    "sections-differ": errors.SectionsDiffer,
    "original-damaged": errors.OriginalDamaged,
    "unknown-export": errors.UnknownExport,
    "unknown-session": errors.UnknownSession,
    "unknown-recording": errors.UnknownRecording,
    "wrong-passcode": errors.WrongPasscode,
    "session-locked": errors.SessionLocked,
    "session-full": errors.SessionFull,
    "name-taken": errors.NameTaken,
    "too-many-sessions": errors.TooManySessions,
    "unknown-job": errors.UnknownJob,
    "unknown-upload": errors.UnknownUpload,
    "wrong-offset": errors.UploadOffset,
    "upload-busy": errors.UploadBusy,
    "unknown-annotation": errors.UnknownAnnotation,
    "annotation-conflict": errors.AnnotationConflict,
    "annotation-locked": errors.AnnotationLocked,
    "unknown-comment": errors.UnknownComment,
    "no-profile": errors.NoProfile,
    "node-name-taken": errors.NodeNameTaken,
    "not-an-edge": errors.NotAnEdge,
    "slide-exists": errors.SlideExists,
    "slide-in-trash": errors.SlideInTrash,
    "scale-stated": errors.ScaleStated,
    "stale-revision": errors.Conflict,
    "busy": errors.StoreBusy,
    "stale-version": errors.StaleVersion,
    "too-large": errors.TooLarge,
    "unsupported-source": errors.UnsupportedSource,
    "unreadable-source": errors.UnreadableSource,
    "forbidden": errors.Forbidden,
    "wrong-credentials": errors.WrongCredentials,
    "password-change-required": errors.PasswordChangeRequired,
    "wrong-code": errors.WrongCode,
    "second-factor-required": errors.SecondFactorRequired,
    "second-factor-setup-required": errors.SecondFactorSetupRequired,
    "no-second-factor": errors.NoSecondFactor,
    "provider-refused": errors.ProviderRefused,
    "credentials-expired": errors.CredentialsExpired,
    "not-by-token": errors.NotByToken,
    "link-over": errors.LinkOver,
    "unknown-user": errors.UnknownUser,
    "unknown-group": errors.UnknownGroup,
    "unknown-token": errors.UnknownToken,
    "unknown-link": errors.UnknownLink,
    "account-exists": errors.AccountExists,
    "launch-refused": errors.LaunchRefused,
    "platform-exists": errors.PlatformExists,
    "unknown-platform": errors.UnknownPlatform,
    "unknown-launch": errors.UnknownLaunch,
    "last-admin": errors.LastAdmin,
    "sign-in-required": errors.SignInRequired,
    "corrupt-block": errors.CorruptBlock,
    "corrupt-store": errors.CorruptStore,
    "unsupported-version": errors.UnsupportedVersion,
    "catalog-damaged": errors.CatalogDamaged,
    "catalog-missing": errors.CatalogMissing,
    "too-many-requests": errors.TooManyRequests,
    "memory-limit": errors.MemoryLimit,
    "store-full": errors.NotEnoughSpace,
    "unavailable": errors.Unavailable,
    "missing-package": errors.MissingPackage,
    "invalid-experiment": errors.InvalidExperiment,
    "cancelled": errors.IngestCancelled,
}
_NAMES = {cause: name for name, cause in _NAMED.items()}
_BY_STATUS: Mapping[int, type[WavescopeError]] = {
    401: errors.SignInRequired,
    403: errors.Forbidden,
    429: errors.TooManyRequests,
    502: errors.Unavailable,
    503: errors.Unavailable,
    504: errors.Unavailable,
}


def _integer(value: object, default: int = 0) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _address(value: object) -> Address:
    fits = isinstance(value, list) and len(value) == len(Address._fields) and all(type(each) is int for each in value)
    return Address(*value) if fits else Address(0, 0, 0, 0, 0)  # type: ignore[misc]


_FIELDS: Mapping[type[WavescopeError], Callable[[Members], Members]] = {
    errors.InvalidParameter: lambda m: {"name": str(m.get("parameter", "")), "value": None, "expected": ""},
    errors.InvalidExperiment: lambda m: {
        "place": str(m.get("parameter", "")),
        "reason": str(m.get("detail", ""))[:1000],
    },
    errors.InvalidImageRequest: lambda m: {"name": str(m.get("parameter", "")), "expected": ""},
    errors.OutOfRange: lambda m: {
        "name": str(m.get("parameter", "")),
        "value": None,
        "limits": str(m.get("limits", "")),
    },
    errors.TooLarge: lambda m: {"what": "", "size": _integer(m.get("size")), "limit": _integer(m.get("limit"))},
    errors.TooManyRequests: lambda m: {"what": "", "seconds": _integer(m.get("seconds"), 1)},
    errors.Conflict: lambda m: {"what": "", "given": _integer(m.get("given")), "newest": _integer(m.get("newest"))},
    errors.UploadOffset: lambda m: {"given": 0, "offset": _integer(m.get("offset"))},
    errors.AnnotationConflict: lambda m: {"current": m.get("current") if isinstance(m.get("current"), dict) else None},
    errors.AnnotationLocked: lambda m: {"by": str(m.get("by", ""))},
    errors.CorruptBlock: lambda m: {"address": _address(m.get("address")), "reason": str(m.get("reason", ""))},
    errors.CorruptStore: lambda m: {"digest": "", "part": str(m.get("part", "")), "reason": str(m.get("reason", ""))},
    errors.UnsupportedVersion: lambda m: {"digest": "", "part": "", "reason": str(m.get("reason", ""))},
    errors.NotEnoughSpace: lambda m: {"needed": _integer(m.get("needed")), "available": _integer(m.get("available"))},
    errors.Unavailable: lambda m: {"what": "the service", "reason": str(m.get("detail", ""))[:1000]},
}


def error_of(status: int, body: bytes, headers: Mapping[str, str], now: float | None = None) -> WavescopeError:
    """What an answer that did not succeed means. ``body``: any bytes, its first MAX_BYTES; ``now``: Unix time."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    members: Members = found if isinstance(found, dict) else {}
    name = str(members.get("type", "")).rpartition("/")[2][:80]
    detail = str(members.get("detail") or members.get("title") or "it gives no reason")[:2000]
    cause = _NAMED.get(name) or _BY_STATUS.get(status)
    if cause is None:
        error: WavescopeError = Refused(status, name, detail)
    else:
        error = rebuild_error(cause, (detail,))
        if cause in _FIELDS:
            error.__dict__.update(_FIELDS[cause](members))
    error.retry_after = retry_after(headers.get("retry-after"), now)
    return error


def name_of(error: WavescopeError) -> str:
    """The name of the problem that an error stands for; of an unknown one that of a fault of the service."""
    if isinstance(error, Refused):
        return error.problem
    return next((_NAMES[one] for one in type(error).__mro__ if one in _NAMES), "internal")


def retry_after(value: str | None, now: float | None = None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, 10.2.3), at most MAX_SECONDS. None if there is none."""
    if value is None or len(value) > 64:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return min(float(text), MAX_SECONDS)
    if now is None:
        return None
    try:
        return min(max(0.0, parsedate_to_datetime(text).timestamp() - now), MAX_SECONDS)
    except (ValueError, TypeError, OverflowError):
        return None

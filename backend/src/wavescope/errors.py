"""One error class per cause. Fields are typed and kept; the outermost edge (api, cli) translates each class once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wavescope.geometry import Address


class WavescopeError(Exception):
    """Any error that a user or a client may be told about."""


class InvalidParameter(WavescopeError):
    """A value that has no meaning here."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"{name} is {value!r}; expected {expected}")
        self.name, self.value, self.expected = name, value, expected


class OutOfRange(WavescopeError):
    """A well-formed place that lies outside the slide, its levels, planes, pages or layers."""

    def __init__(self, name: str, value: object, limits: str) -> None:
        super().__init__(f"{name} {value} is out of range: {limits}")
        self.name, self.value, self.limits = name, value, limits


class TooLarge(WavescopeError):
    """More than a configured limit allows."""

    def __init__(self, what: str, size: int, limit: int) -> None:
        super().__init__(f"{what} is {size}, the limit is {limit}")
        self.what, self.size, self.limit = what, size, limit


class Forbidden(WavescopeError):
    """The principal may not do this."""

    def __init__(self, action: str) -> None:
        super().__init__(f"not allowed: {action}")
        self.action = action


class SignInRequired(WavescopeError):
    """Only a signed-in user may do this, and the request carries no sign-in."""

    def __init__(self, action: str) -> None:
        super().__init__(f"sign in for this: {action}")
        self.action = action


class WrongCredentials(WavescopeError):
    """A name and password that do not belong together, or of a disabled account."""

    def __init__(self) -> None:
        super().__init__("the name or the password is wrong")


class ProviderRefused(WavescopeError):
    """The OpenID Connect provider refused the sign-in, or its answer cannot be trusted."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the single sign-on failed: {reason}")
        self.reason = reason


class CredentialsExpired(WavescopeError):
    """A token that is unknown, has expired or was revoked."""

    def __init__(self) -> None:
        super().__init__("the sign-in or token does not hold any more")


class NotByToken(WavescopeError):
    """What only a sign-in may do, asked for with a personal token."""

    def __init__(self, action: str) -> None:
        super().__init__(f"a personal token cannot do this: {action}; sign in for it")
        self.action = action


class LinkOver(WavescopeError):
    """A share link that has expired or was revoked."""

    def __init__(self) -> None:
        super().__init__("this link has expired or was revoked; ask the sender for another")


class UnknownUser(WavescopeError):
    """No account has this id."""

    def __init__(self, user_id: str) -> None:
        super().__init__(f"there is no user {user_id!r}")
        self.user_id = user_id


class UnknownGroup(WavescopeError):
    """No group has this id."""

    def __init__(self, group_id: str) -> None:
        super().__init__(f"there is no group {group_id!r}")
        self.group_id = group_id


class UnknownToken(WavescopeError):
    """No such token."""

    def __init__(self) -> None:
        super().__init__("there is no such token")


class UnknownLink(WavescopeError):
    """No such share link."""

    def __init__(self) -> None:
        super().__init__("there is no such link")


class AccountExists(WavescopeError):
    """The name is taken by another account or group."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name!r} is taken")
        self.name = name


class LastAdmin(WavescopeError):
    """A change that would leave nobody to manage the accounts."""

    def __init__(self) -> None:
        super().__init__("at least one admin must remain")


class UnknownSlide(WavescopeError):
    """No slide has this id, or none that the principal may see."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(f"there is no slide {slide_id!r}")
        self.slide_id = slide_id


class UnknownJob(WavescopeError):
    """No ingest job has this id."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"there is no job {job_id!r}")
        self.job_id = job_id


class UnknownCase(WavescopeError):
    """No case or collection has this id."""

    def __init__(self, case_id: str) -> None:
        super().__init__(f"there is no case {case_id!r}")
        self.case_id = case_id


class UnknownTour(WavescopeError):
    """No guided tour has this id."""

    def __init__(self, tour_id: str) -> None:
        super().__init__(f"there is no tour {tour_id!r}")
        self.tour_id = tour_id


class UnknownLabel(WavescopeError):
    """The slide has no label or other such picture of this name."""

    def __init__(self, slide_id: str, name: str) -> None:
        super().__init__(f"slide {slide_id!r} has no picture {name[:40]!r}")
        self.slide_id, self.name = slide_id, name


class UnknownExport(WavescopeError):
    """No export has this id, or it was cleared away."""

    def __init__(self, export_id: str) -> None:
        super().__init__(f"there is no export {export_id!r}")
        self.export_id = export_id


class UnknownSession(WavescopeError):
    """No live session has this code or id, or none that the requesting principal may open."""

    def __init__(self) -> None:
        super().__init__("there is no such session, or it has ended")


class UnknownRecording(WavescopeError):
    """No recording has this id, or none that the requesting principal may open."""

    def __init__(self, recording_id: str) -> None:
        super().__init__(f"there is no recording {recording_id!r}")
        self.recording_id = recording_id


class WrongPasscode(WavescopeError):
    """The session has a passcode, and this is not it."""

    def __init__(self) -> None:
        super().__init__("the passcode is missing or wrong")


class SessionLocked(WavescopeError):
    """The owner lets nobody new in."""

    def __init__(self) -> None:
        super().__init__("the session is locked: nobody new can join")


class SessionFull(WavescopeError):
    """As many as a session can have are in it."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the session has its {limit} members")
        self.limit = limit


class TooManySessions(WavescopeError):
    """One owner has as many open sessions as may be."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"you have {limit} sessions that have not ended: end one first")
        self.limit = limit


class Conflict(WavescopeError):
    """A change made from a revision that is not the newest any more."""

    def __init__(self, what: str, given: int, newest: int) -> None:
        super().__init__(f"{what} was changed meanwhile: revision {given} was given, {newest} is the newest")
        self.what, self.given, self.newest = what, given, newest


class UnknownAnnotation(WavescopeError):
    """The slide has no annotation of this id, or has it no more."""

    def __init__(self, slide_id: str, annotation_id: str) -> None:
        super().__init__(f"slide {slide_id!r} has no annotation {annotation_id!r}")
        self.slide_id, self.annotation_id = slide_id, annotation_id


class AnnotationConflict(WavescopeError):
    """Another user changed the annotation meanwhile. ``current`` is its stored state as JSON, None if there is none."""

    def __init__(self, annotation_id: str, base: int, current: Mapping[str, Any] | None) -> None:
        revision = "not there" if current is None else f"at revision {current['revision']}"
        super().__init__(f"annotation {annotation_id!r} is {revision}, the change was made on revision {base}")
        self.annotation_id, self.base, self.current = annotation_id, base, current


class StaleVersion(WavescopeError):
    """The slide exists, but not (or no longer) in this version."""

    def __init__(self, slide_id: str, digest: str) -> None:
        super().__init__(f"slide {slide_id!r} has no version {digest}; ask for the slide again")
        self.slide_id, self.digest = slide_id, digest


class NoProfile(WavescopeError):
    """The slide has no ICC profile, or none that needs or allows a table of colours."""

    def __init__(self, digest: str) -> None:
        super().__init__(f"version {digest} has no such profile")
        self.digest = digest


class SlideExists(WavescopeError):
    """The id is taken by another slide."""

    def __init__(self, slide_id: str, more: str = "") -> None:
        super().__init__(f"the id {slide_id!r} is taken{more}")
        self.slide_id = slide_id


class ScaleStated(WavescopeError):
    """A scale was entered for a slide whose file states one."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(f"the file of slide {slide_id!r} states its scale, which is not replaced")
        self.slide_id = slide_id


class SlideInTrash(SlideExists):
    """The id is kept for a slide in the trash."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(slide_id, " by a slide in the trash: restore it, purge it, or choose another id")


class SourceError(WavescopeError):
    """A slide file that cannot become a slide."""

    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"{Path(str(path)).name}: {reason}")
        self.path, self.reason = str(path), reason


class UnsupportedSource(SourceError):
    """A file of a kind that is not read here."""


class UnreadableSource(SourceError):
    """A file of a known kind that is damaged, truncated or implausible."""


class CodecError(WavescopeError):
    """Bytes that are not a valid layer. ``code`` is the kernel's name for the cause, for example ``checksum``."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}{': ' + detail if detail else ''}")
        self.code = code


class CorruptBlock(WavescopeError):
    """A block that the layer index promises and the store cannot give whole."""

    def __init__(self, address: Address, reason: str) -> None:
        super().__init__(f"block {tuple(address)} is corrupt: {reason}")
        self.address, self.reason = address, reason


class CorruptStore(WavescopeError):
    """A damaged manifest, layer index, approximation or shard index of a slide version."""

    def __init__(self, digest: str, part: str, reason: str) -> None:
        super().__init__(f"slide version {digest}: {part} is corrupt: {reason}")
        self.digest, self.part, self.reason = digest, part, reason


class CatalogDamaged(WavescopeError):
    """The catalog's database is there and cannot be read as one."""

    def __init__(self, place: Path | str, reason: str) -> None:
        super().__init__(
            f"the catalog {place} is damaged ({reason}): bring it back with wavescope restore-backup FILE --replace, "
            "or, without a backup, make a new one of the stored slides with wavescope rebuild-catalog --replace"
        )
        self.place, self.reason = str(place), reason


class CatalogMissing(WavescopeError):
    """The store holds slides, and no catalog knows them."""

    def __init__(self, place: Path | str, slides: int) -> None:
        super().__init__(
            f"the store holds {slides} slide version(s), but its catalog {place} is missing: bring it back with "
            "wavescope restore-backup FILE, make a new one of the stored slides with wavescope rebuild-catalog, "
            "or begin with an empty one with wavescope serve --new-catalog (or WAVESCOPE_NEW_CATALOG=1)"
        )
        self.place, self.slides = str(place), slides


class TooManyRequests(WavescopeError):
    """More requests than a client may make. ``seconds``: after which it may ask again."""

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(f"too many requests for {what}; ask again in {seconds} s")
        self.what, self.seconds = what, seconds


class StoreFull(WavescopeError):
    """No space is left where the store lies."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"no space left on the disk of {path}")
        self.path = str(path)


class MemoryLimit(WavescopeError):
    """A process needed more memory than it may use. ``limit`` in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"this file needs more memory than the limit of {limit / (1 << 30):.2f} GiB; fewer workers need less, "
            "WAVESCOPE_INGEST_MEMORY sets the limit"
        )
        self.limit = limit


class StoreBusy(WavescopeError):
    """Another process works on the same thing."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is being worked on by another process")
        self.what = what


class IngestCancelled(WavescopeError):
    """The user stopped this ingest; what is finished stays and a later ingest resumes."""

    def __init__(self) -> None:
        super().__init__("the ingest was cancelled")


class Unavailable(WavescopeError):
    """Something this service needs does not answer now; asking again later may help."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} is unavailable: {reason}")
        self.what, self.reason = what, reason

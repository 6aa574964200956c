"""Errors of slides and of what belongs to them: cases, tours, labels, annotations, jobs, exports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wavescope.errors.base import WavescopeError


class UnknownSlide(WavescopeError):
    """No slide has this id, or none that the principal may see."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(f"there is no slide {slide_id!r}")
        self.slide_id = slide_id


class UnknownDicomObject(WavescopeError):
    """No slide that the principal may see has a part with this UID; ``kind``: study, series or instance."""

    def __init__(self, kind: str, uid: str) -> None:
        super().__init__(f"there is no {kind} {uid[:80]!r}")
        self.kind, self.uid = kind, uid


class UnknownJob(WavescopeError):
    """No ingest job has this id."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"there is no job {job_id!r}")
        self.job_id = job_id


class UnknownUpload(WavescopeError):
    """No upload that can be resumed has this id."""

    def __init__(self, upload_id: str) -> None:
        super().__init__(f"there is no upload {upload_id[:80]!r}; it may have expired")
        self.upload_id = upload_id


class UploadOffset(WavescopeError):
    """Bytes of an upload that do not continue what has arrived; ``offset``: what has."""

    def __init__(self, given: int, offset: int) -> None:
        super().__init__(f"the upload has {offset} bytes, so the next ones cannot begin at {given}")
        self.given, self.offset = given, offset


class UploadBusy(WavescopeError):
    """Another request is sending bytes of this upload."""

    def __init__(self, upload_id: str) -> None:
        super().__init__(f"another request is sending bytes of the upload {upload_id!r}")
        self.upload_id = upload_id


class UnknownCase(WavescopeError):
    """No case or collection has this id."""

    def __init__(self, case_id: str) -> None:
        super().__init__(f"there is no case {case_id!r}")
        self.case_id = case_id


class InvalidNesting(WavescopeError):
    """A case cannot lie in that collection. ``cause``: kind, cycle, depth or sharing."""

    def __init__(self, case_id: str, cause: str, reason: str) -> None:
        super().__init__(f"case {case_id!r} cannot lie there: {reason}")
        self.case_id, self.cause = case_id, cause


class UnknownTour(WavescopeError):
    """No guided tour has this id."""

    def __init__(self, tour_id: str) -> None:
        super().__init__(f"there is no tour {tour_id!r}")
        self.tour_id = tour_id


class UnknownQuiz(WavescopeError):
    """No quiz has this id."""

    def __init__(self, quiz_id: str) -> None:
        super().__init__(f"there is no quiz {quiz_id!r}")
        self.quiz_id = quiz_id


class UnknownAttempt(WavescopeError):
    """No attempt of this user has this id."""

    def __init__(self, attempt_id: str) -> None:
        super().__init__(f"there is no attempt {attempt_id!r}")
        self.attempt_id = attempt_id


class UnknownQuestion(WavescopeError):
    """The quiz has no question of this id."""

    def __init__(self, question_id: str) -> None:
        super().__init__(f"the quiz has no question {question_id[:80]!r}")
        self.question_id = question_id


class AttemptOver(WavescopeError):
    """The attempt was ended, or its time is over."""

    def __init__(self) -> None:
        super().__init__("the attempt is over: its answers can no longer be changed")


class AnswerGiven(WavescopeError):
    """In practice the first answer to a question counts, since the key is shown with it."""

    def __init__(self, question_id: str) -> None:
        super().__init__(f"the question {question_id[:80]!r} is answered already")
        self.question_id = question_id


class NoAttemptsLeft(WavescopeError):
    """The person has used all attempts at the quiz."""

    def __init__(self, attempts: int) -> None:
        super().__init__(f"all attempts are used: the quiz allows {attempts}")
        self.attempts = attempts


class UnknownOverlay(WavescopeError):
    """The slide has no overlay of this id."""

    def __init__(self, slide_id: str, overlay_id: str) -> None:
        super().__init__(f"slide {slide_id!r} has no overlay {overlay_id[:80]!r}")
        self.slide_id, self.overlay_id = slide_id, overlay_id


class SectionsDiffer(WavescopeError):
    """No way was found in which the tissue of one slide lies on that of another (RE5)."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the sections do not match: {reason}")
        self.reason = reason


class UnknownOriginal(WavescopeError):
    """The original file of this slide is not stored."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(f"the original file of the slide {slide_id!r} is not stored")
        self.slide_id = slide_id


class UnknownLabel(WavescopeError):
    """The slide has no label or other such picture of this name."""

    def __init__(self, slide_id: str, name: str) -> None:
        super().__init__(f"slide {slide_id!r} has no picture {name[:40]!r}")
        self.slide_id, self.name = slide_id, name


class UnknownExport(WavescopeError):
    """No export has this id, or it was deleted."""

    def __init__(self, export_id: str) -> None:
        super().__init__(f"there is no export {export_id!r}")
        self.export_id = export_id


class UnknownAnnotation(WavescopeError):
    """The slide has no annotation with this id."""

    def __init__(self, slide_id: str, annotation_id: str) -> None:
        super().__init__(f"slide {slide_id!r} has no annotation {annotation_id!r}")
        self.slide_id, self.annotation_id = slide_id, annotation_id


class AnnotationConflict(WavescopeError):
    """Another user has changed the annotation. ``current`` is its stored state as JSON, None if there is none."""

    def __init__(self, annotation_id: str, base: int, current: Mapping[str, Any] | None) -> None:
        revision = "not there" if current is None else f"at revision {current['revision']}"
        super().__init__(f"annotation {annotation_id!r} is {revision}, the change is based on revision {base}")
        self.annotation_id, self.base, self.current = annotation_id, base, current


class AnnotationLocked(WavescopeError):
    """The annotation is locked. ``by``: the name of who locked it."""

    def __init__(self, annotation_id: str, by: str) -> None:
        super().__init__(f"annotation {annotation_id!r} is locked by {by}")
        self.annotation_id, self.by = annotation_id, by


class UnknownComment(WavescopeError):
    """No such comment on this slide."""

    def __init__(self, slide_id: str, comment_id: str) -> None:
        super().__init__(f"no comment {comment_id!r} on slide {slide_id!r}")
        self.slide_id, self.comment_id = slide_id, comment_id


class StaleVersion(WavescopeError):
    """The slide exists, but not (or no longer) in this version."""

    def __init__(self, slide_id: str, digest: str) -> None:
        super().__init__(f"slide {slide_id!r} has no version {digest}; reload the slide")
        self.slide_id, self.digest = slide_id, digest


class NoProfile(WavescopeError):
    """The slide has no ICC profile, or its profile needs or allows no colour table."""

    def __init__(self, digest: str) -> None:
        super().__init__(f"version {digest} has no such profile")
        self.digest = digest


class SlideExists(WavescopeError):
    """The id is already used by another slide."""

    def __init__(self, slide_id: str, more: str = "") -> None:
        super().__init__(f"the id {slide_id!r} is already in use{more}")
        self.slide_id = slide_id


class ScaleStated(WavescopeError):
    """A scale was entered for a slide whose file states one."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(f"the file of slide {slide_id!r} states its scale, which is not replaced")
        self.slide_id = slide_id


class SlideInTrash(SlideExists):
    """The id belongs to a slide in the trash."""

    def __init__(self, slide_id: str) -> None:
        super().__init__(slide_id, " by a slide in the trash: restore it, purge it, or choose another id")


class InvalidImageRequest(WavescopeError):
    """A part of a IIIF image request that says nothing valid, or requests more than the service makes."""

    def __init__(self, name: str, given: str, expected: str) -> None:
        super().__init__(f"the {name} {given[:80]!r} cannot be served: {expected}")
        self.name, self.expected = name, expected

"""Which problems an operation answers with, from what it reads and does (WI30)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from wavescope import errors
from wavescope.api import problems
from wavescope.api.problems import PROBLEMS, Problem, problem_json

Cause = type[Exception]
OF_PATH: dict[str, Cause] = {
    "slide_id": errors.UnknownSlide,
    "other_id": errors.UnknownSlide,
    "overlay_id": errors.UnknownOverlay,
    "case_id": errors.UnknownCase,
    "tour_id": errors.UnknownTour,
    "quiz_id": errors.UnknownQuiz,
    "attempt_id": errors.UnknownAttempt,
    "question_id": errors.UnknownQuestion,
    "job_id": errors.UnknownJob,
    "upload_id": errors.UnknownUpload,
    "export_id": errors.UnknownExport,
    "annotation_id": errors.UnknownAnnotation,
    "comment_id": errors.UnknownComment,
    "session_id": errors.UnknownSession,
    "code": errors.UnknownSession,
    "recording_id": errors.UnknownRecording,
    "link_id": errors.UnknownLink,
    "token_id": errors.UnknownToken,
    "launch_id": errors.UnknownLaunch,
    "platform_id": errors.UnknownPlatform,
    "user_id": errors.UnknownUser,
    "group_id": errors.UnknownGroup,
    "digest": errors.StaleVersion,
    **dict.fromkeys(("study", "series", "instance"), errors.UnknownDicomObject),
}
PIXELS: tuple[Cause, ...] = (errors.CorruptBlock, errors.CorruptStore, errors.UnsupportedVersion, errors.Unavailable)
BLOCKS: tuple[Cause, ...] = (errors.CorruptBlock, errors.CorruptStore, errors.UnsupportedVersion)
FULL: tuple[Cause, ...] = (errors.StoreFull, errors.Unavailable)
UPLOAD: tuple[Cause, ...] = (*FULL, errors.TooLarge, errors.UnreadableSource, errors.UnsupportedSource)
TUS: tuple[Cause, ...] = (errors.UploadBusy, problems.UnsupportedProtocol)
STEPS: tuple[Cause, ...] = (errors.SecondFactorRequired, errors.SecondFactorSetupRequired)
PROOF: tuple[Cause, ...] = (errors.WrongCredentials, errors.WrongCode, errors.SecondFactorRequired, errors.NotByToken)
FRAMES: tuple[Cause, ...] = (errors.InvalidParameter, errors.OutOfRange, problems.NotAcceptable)
LEVELS = ("study", "series", "instance")
SEARCHES = ("studies", "series", "instances", "series_of_study", "instances_of_study", "instances_of_series")
OF_OPERATION: dict[str, tuple[Cause, ...]] = {
    **dict.fromkeys(
        ("get_block", "get_index_page", "get_approximation", "post_batch", "get_first_view", "get_slide"), BLOCKS
    ),
    **dict.fromkeys(("get_tile", "get_thumbnail", "get_version_thumbnail", "get_trashed_thumbnail"), PIXELS),
    "get_region": (*PIXELS, errors.TooLarge),
    **dict.fromkeys(
        ("get_iiif_picture", "get_iiif_plane_picture"), (*PIXELS, errors.InvalidImageRequest, errors.TooLarge)
    ),
    **dict.fromkeys(("get_deep_zoom_tile", "get_xyz_tile", "get_ome_zarr_chunk"), PIXELS),
    **dict.fromkeys((f"search_dicom_{what}" for what in SEARCHES), (errors.MissingPackage,)),
    **dict.fromkeys((f"get_dicom_{what}_metadata" for what in LEVELS), (errors.MissingPackage,)),
    "get_dicom_frames": (*PIXELS, errors.MissingPackage, *FRAMES),
    "get_dicom_rendered_frame": (*PIXELS, *FRAMES),
    "get_dicom_bulk_data": (problems.NotAcceptable,),
    **dict.fromkeys(("store_dicom", "store_dicom_study"), (*UPLOAD, errors.MissingPackage, problems.UnsupportedBody)),
    "estimate_export": (*PIXELS, errors.TooLarge),
    "create_export": (*PIXELS, errors.TooLarge, errors.StoreFull),
    "create_archive": (*PIXELS, errors.StoreFull),
    **dict.fromkeys(("get_icc", "get_colour_table"), (errors.NoProfile, errors.CorruptStore)),
    "get_colour": (errors.CorruptStore,),
    "post_upload": (*UPLOAD, problems.UnsupportedBody),
    "get_registration": (*PIXELS, errors.SectionsDiffer, errors.MissingPackage),
    "post_overlay": (*UPLOAD, problems.UnsupportedBody),
    "get_overlay_shapes": (errors.CorruptOverlay, errors.Unavailable, errors.MissingPackage, errors.TooLarge),
    "get_overlay_raster": (errors.CorruptOverlay, errors.Unavailable, errors.TooLarge),
    **dict.fromkeys(("get_overlay_tile", "get_overlay_vectors"), (errors.CorruptOverlay, errors.Unavailable)),
    "create_resumable": (*FULL, errors.TooLarge, errors.InvalidParameter, problems.UnsupportedProtocol),
    "append_resumable": (*UPLOAD, *TUS, errors.UploadOffset, problems.UnsupportedBody),
    "delete_resumable": TUS,
    **dict.fromkeys(
        ("get_preview", "get_preview_tile", "get_preview_thumbnail", "get_advice"),
        (errors.UnreadableSource, errors.UnsupportedSource, errors.Unavailable),
    ),
    "simulate_plan": (errors.MissingPackage, errors.Unavailable, errors.TooLarge),
    "run_experiment": (errors.InvalidExperiment, errors.MissingPackage, errors.Unavailable),
    "put_calibration": (errors.ScaleStated,),
    "delete_annotation": (problems.RevisionRequired, errors.AnnotationConflict, errors.AnnotationLocked),
    "put_annotation": (problems.RevisionRequired, errors.AnnotationConflict, errors.AnnotationLocked),
    **dict.fromkeys(("lock_annotation", "unlock_annotation"), (errors.AnnotationLocked,)),
    **dict.fromkeys(
        ("save_tour", "delete_tour", "save_quiz", "delete_quiz", "save_mixes"),
        (problems.RevisionRequired, errors.Conflict),
    ),
    "arrange_case_slides": (errors.Conflict,),
    "create_case": (errors.UnknownCase, errors.InvalidNesting),
    "change_case": (errors.Conflict, errors.InvalidNesting),
    "share_case": (errors.InvalidNesting,),
    "read_annotations": (problems.NotAcceptable,),
    "get_identity_image": (errors.UnknownLabel,),
    "get_original": (errors.UnknownOriginal, errors.OriginalDamaged, errors.Unavailable),
    "delete_original": (errors.UnknownOriginal,),
    "restore_slide": (errors.SlideExists,),
    "sign_in": (errors.WrongCredentials, errors.PasswordChangeRequired, errors.WrongCode, *STEPS),
    "change_password": PROOF,
    **dict.fromkeys(("begin_second_factor", "make_recovery_codes", "turn_off_second_factor"), PROOF),
    "begin_required_second_factor": (errors.WrongCredentials, errors.SecondFactorRequired, errors.Forbidden),
    "confirm_second_factor": (errors.WrongCode, errors.NotByToken),
    "reset_second_factor": (errors.NoSecondFactor, errors.NotByToken),
    **dict.fromkeys(("preview_user_import", "import_users"), (errors.NotByToken, errors.AccountExists)),
    "renew_sign_in": (errors.CredentialsExpired,),
    "create_token": (errors.NotByToken,),
    "open_link": (errors.UnknownLink, errors.LinkOver),
    **dict.fromkeys(("create_user", "create_group"), (errors.AccountExists,)),
    "change_user": (errors.AccountExists, errors.LastAdmin),
    "change_group": (errors.AccountExists,),
    "create_session": (errors.TooManySessions, errors.NameTaken, errors.UnknownSlide),
    "join_session": (errors.WrongPasscode, errors.SessionLocked, errors.SessionFull, errors.NameTaken),
    "readyz": (errors.Unavailable,),
    **dict.fromkeys(("create_tour", "create_quiz"), (errors.UnknownSlide, errors.UnknownCase)),
    **dict.fromkeys(("begin_launch", "begin_launch_by_form"), (errors.UnknownPlatform,)),
    **dict.fromkeys(("finish_launch", "register_platform"), (errors.LaunchRefused,)),
    "add_platform": (errors.PlatformExists,),
    "begin_attempt": (errors.NoAttemptsLeft,),
    "save_answer": (errors.AttemptOver, errors.AnswerGiven),
}
OPEN = {
    "healthz",
    "get_kernel",
    "readyz",
    "get_account",
    "sign_in",
    "begin_required_second_factor",
    "sign_out",
    "begin_oidc",
    "finish_oidc",
    "lti_keys",
    "begin_launch",
    "begin_launch_by_form",
    "finish_launch",
    "register_platform",
    "get_grant_keys",
    "describe_resumable",
    "get_planner",
}


def causes_of(name: str, method: str, operation: dict[str, Any]) -> Iterator[Cause]:
    """The errors of an operation, some of them twice."""
    parameters = operation.get("parameters", ())
    queries = [one for one in parameters if one["in"] == "query"]
    yield problems.UnknownParameter
    yield errors.TooManyRequests
    yield from (OF_PATH[one["name"]] for one in parameters if one["in"] == "path" and one["name"] in OF_PATH)
    if queries or any(_is_integer(one) for one in parameters):
        yield errors.InvalidParameter
    if any(_is_integer(one) for one in parameters):
        yield errors.OutOfRange
    if "requestBody" in operation:
        yield from (errors.InvalidParameter, errors.TooLarge)
    if method != "get":
        yield problems.NotModifiable
    if name not in OPEN:
        yield from (errors.SignInRequired, errors.CredentialsExpired, errors.Forbidden)
    if "206" in operation["responses"]:
        yield problems.RangeNotSatisfiable
    yield from OF_OPERATION.get(name, ())


def _is_integer(parameter: dict[str, Any]) -> bool:
    schema = parameter["schema"]
    return "integer" in (schema.get("type"), *(one.get("type") for one in schema.get("anyOf", ())))


def describe_errors(name: str, method: str, operation: dict[str, Any]) -> None:
    """Adds an answer for every status that a problem of the operation has, beside those of the ranges 4XX and 5XX."""
    by_status: defaultdict[str, list[Problem]] = defaultdict(list)
    for problem in unique(PROBLEMS[cause] for cause in causes_of(name, method, operation)):
        by_status[str(problem.status)].append(problem)
    for status, found in sorted(by_status.items()):
        names = "; ".join(f"`{one.name}`: {one.title[0].lower()}{one.title[1:]}" for one in found)
        operation["responses"].setdefault(status, {"description": names, "content": problem_content(found[0])})


EXAMPLE_ID = "0af7651916cd43dd8448eb211c80319c"  # of a request, as W3C Trace Context shows one


def unique(found: Iterable[Problem]) -> list[Problem]:
    """The problems in their order, each name once."""
    return list({one.name: one for one in found}.values())


def problem_content(problem: Problem) -> dict[str, Any]:
    """The body of a problem, with an example."""
    detail = f"{problem.title}: {HTTPStatus(problem.status).phrase.lower()}"
    return {
        problems.MEDIA_TYPE: {
            "schema": {"$ref": f"#/components/schemas/{problems.ProblemView.__name__}"},
            "example": problem_json(problem, detail, {"request_id": EXAMPLE_ID}),
        }
    }

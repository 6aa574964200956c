"""Who may ask what: a row for every route of the application (AC13). ``test_access_table`` walks it.

A column for each kind of principal, a letter for what comes of it:

    +  let in        0  unknown: the same answer as for something that nobody has (404)
    s  sign in (401)        f  forbidden (403)        c  the sign-in does not hold (401)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# nobody known, holder of a link that is over, instructor with whom nothing is shared, session guest, link holder (view)
# and viewer (may view), annotator (may annotate), instructor who owns it, admin
COLUMNS = ("anonymous", "expired", "stranger", "guest", "link", "viewer", "annotator", "owner", "admin")

ANYBODY = "+++++++++"
VIEW = "000++++++"
ANNOTATE = "000ssf+++"
EXPORT = "000ss++++"
OWN = "000ssff++"
ACCOUNT = "ss+ss++++"
OWN_SEEN = "ss0ss++++"
OWN_ATTEMPT = "ss0ss00+0"
INSTRUCTOR = "ss+ssff++"
ADMIN = "ssfssfff+"
CASE = "00000++++"  # shared with the viewer and the annotator
OWN_CASE = "ss0ssff++"
OWN_JOB = "ss0ssf0++"
JOBS = "ss+ssf+++"  # each has its own
MINE = "0000000++"
OWN_UPLOAD = "0000000+0"  # of another user an admin sees the job, once there is one
APART = "00000ff++"  # another slide, which neither the link nor the session reaches

A = "/api/v1"
S = A + "/slides/{slide_id}"
V = S + "/v/{digest}"
RESUMABLE = A + "/uploads/resumable"
TUS = {"tus-resumable": "1.0.0"}
UPLOAD = TUS | {"upload-length": "9", "upload-metadata": "filename d2FpdGluZw=="}
PIECE = TUS | {"upload-offset": "0", "content-type": "application/offset+octet-stream"}
PREVIEW = A + "/jobs/{job_id}/preview"
CONTENT = {"type": "rectangle", "x": 1, "y": 2, "width": 3, "height": 4}
TOUR = {"title": "t", "waypoints": []}
QUIZ = {"title": "t", "questions": [{"id": "q", "kind": "number", "text": "", "view": {}, "key": {"value": 1}}]}
ANSWER = {"answer": {"kind": "number", "value": 1}}
ADDRESSES = ("issuer", "authorize_url", "token_url", "keys_url")
PLATFORM = {"title": "t", "client_id": "c", **dict.fromkeys(ADDRESSES, "https://lms.example")}
SHARING = {"public": False, "shares": []}
PROTOCOLS = (
    "/iiif/{api}",
    "/iiif/{api}/info.json",
    "/iiif/{api}/{region}/{size}/{rotation}/{quality}.{format}",
    "/iiif/{api}/planes/{z}",
    "/iiif/{api}/planes/{z}/info.json",
    "/iiif/{api}/planes/{z}/{region}/{size}/{rotation}/{quality}.{format}",
    "/deepzoom/{overlap}/{kind}.dzi",
    "/deepzoom/{overlap}/{kind}_files/{level}/{column}_{row}.{suffix}",
    "/xyz/{zoom}/{column}/{row}.{kind}",
    "/ome.zarr/zarr.json",
    "/ome.zarr/{level}/zarr.json",
    "/ome.zarr/{level}/c/{c}/{z}/{y}/{x}",
)
D = A + "/dicomweb/studies"
DICOM_SERIES = D + "/{study}/series/{series}"
DICOM_INSTANCE = DICOM_SERIES + "/instances/{instance}"
DICOM = (
    D + "/{study}/series",
    D + "/{study}/instances",
    DICOM_SERIES + "/instances",
    *(
        f"{one}/{name}"
        for one in (D + "/{study}", DICOM_SERIES, DICOM_INSTANCE)
        for name in ("metadata", "rendered", "thumbnail")
    ),
    DICOM_INSTANCE + "/bulkdata/icc",
    *(f"{DICOM_INSTANCE}/frames/{{frames}}{rest}" for rest in ("", "/rendered", "/thumbnail")),
)
STOW = {"content-type": 'multipart/related; type="application/dicom"; boundary=b'}


@dataclass(frozen=True)
class Row:
    """What is asked and what comes of it. ``fresh``: made anew each time; ``passed``: problems behind the gate."""

    outcome: str
    query: str = ""
    json: Any = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    fresh: str = ""
    passed: tuple[str, ...] = ()


ROWS: dict[tuple[str, str], Row] = {
    ("GET", "/openapi.json"): Row(ANYBODY),
    ("GET", "/healthz"): Row(ANYBODY),
    ("GET", A + "/kernel.wasm"): Row(ANYBODY),
    ("GET", "/readyz"): Row(ANYBODY),
    ("GET", "/metrics"): Row(ADMIN),
    ("GET", A + "/storage"): Row(ADMIN),
    ("GET", A + "/edge/status"): Row(ADMIN, passed=("not-an-edge",)),
    ("GET", A + "/planner"): Row(ANYBODY),
    ("GET", A + "/planner/experiments"): Row(INSTRUCTOR),
    ("POST", A + "/planner/experiments/runs"): Row(INSTRUCTOR, json={"text": "title = "}),
    ("POST", A + "/planner/simulations"): Row(INSTRUCTOR, json={"at": [1], "situation": {"clients": 1}}),
    ("GET", A + "/sessions/{session_id}/live"): Row(ANYBODY, passed=("upgrade-required",)),
    ("GET", V + "/push"): Row(ANYBODY, passed=("upgrade-required",)),
    # -- slides
    ("GET", A + "/slides"): Row(ANYBODY),
    ("GET", A + "/facets"): Row(ANYBODY),
    ("GET", S): Row(VIEW),
    ("PATCH", S): Row(OWN, json={"title": "Renamed"}),
    ("PATCH", A + "/slides"): Row(OWN, json={"slides": ["visual"], "tags": {"stain": "HE"}}),
    ("PUT", S + "/calibration"): Row(OWN, json={"um_per_pixel": 0.5}, passed=("scale-stated",)),
    ("DELETE", S + "/calibration"): Row(OWN),
    ("GET", S + "/coverage"): Row(OWN),
    ("GET", S + "/mixes"): Row(VIEW),
    ("PUT", S + "/mixes"): Row(ANNOTATE, json={"mixes": []}, headers={"if-match": '"r1"'}, passed=("stale-revision",)),
    ("GET", S + "/registrations/{other_id}"): Row(VIEW, passed=("sections-differ",)),
    ("GET", S + "/overlays"): Row(VIEW),
    ("POST", S + "/overlays"): Row(ANNOTATE, query="filename=a.geojson", content=b"[]"),
    ("PATCH", S + "/overlays/{overlay_id}"): Row(ANNOTATE, json={"position": 0}, passed=("unknown-overlay",)),
    ("DELETE", S + "/overlays/{overlay_id}"): Row(ANNOTATE, passed=("unknown-overlay",)),
    ("POST", S + "/overlays/{overlay_id}/restore"): Row(ANNOTATE, passed=("unknown-overlay",)),
    ("GET", S + "/overlays/{overlay_id}/tiles/{level}/{x}/{y}"): Row(VIEW, passed=("unknown-overlay",)),
    ("GET", S + "/overlays/{overlay_id}/vectors/{zoom}/{x}/{y}"): Row(VIEW, passed=("unknown-overlay",)),
    ("GET", S + "/overlays/{overlay_id}/shapes"): Row(VIEW, passed=("unknown-overlay",)),
    ("GET", S + "/overlays/{overlay_id}/raster"): Row(VIEW, query="region=0,0,9,9", passed=("unknown-overlay",)),
    ("DELETE", S): Row(APART, fresh="slide"),
    ("GET", S + "/thumbnail"): Row(VIEW),
    ("GET", S + "/first-view"): Row(VIEW, query="width=800&height=600"),
    ("GET", V + "/blocks/{z}/{c}/{level}/{x}/{y}"): Row(VIEW),
    ("GET", V + "/manifest"): Row(VIEW),
    ("GET", V + "/layer-index/{z}/{c}/{level}/{page}"): Row(VIEW),
    ("GET", V + "/approximation/{z}/{c}"): Row(VIEW),
    ("POST", V + "/blocks:batch"): Row(VIEW, json={"blocks": [[0, 0, 0, 0, 0, 0, 1]]}),
    ("GET", V + "/tiles/{z}/{level}/{x}/{y}.{kind}"): Row(VIEW),
    ("GET", V + "/region"): Row(VIEW, query="x=0&y=0&width=8&height=8"),
    ("GET", V + "/thumbnail"): Row(VIEW),
    ("GET", V + "/icc"): Row(VIEW, passed=("no-profile",)),
    ("GET", V + "/colour"): Row(VIEW),
    ("GET", V + "/colour/table.png"): Row(VIEW, passed=("no-profile",)),
    ("GET", S + "/blocks/{z}/{c}/{level}/{x}/{y}"): Row(VIEW),
    ("GET", S + "/manifest"): Row(VIEW),
    ("GET", S + "/layer-index/{z}/{c}/{level}/{page}"): Row(VIEW),
    ("GET", S + "/approximation/{z}/{c}"): Row(VIEW),
    ("POST", S + "/blocks:batch"): Row(VIEW),
    ("GET", S + "/tiles/{z}/{level}/{x}/{y}.{kind}"): Row(VIEW),
    **{("GET", f"{S}/{name}"): Row(VIEW) for name in ("region", "icc", "colour", "colour/table.png")},
    # -- protocols of other software
    **{("GET", one + path): Row(VIEW) for one in (S, V) for path in PROTOCOLS},
    **{("GET", f"{A}/dicomweb/{name}"): Row(ANYBODY) for name in ("studies", "series", "instances")},
    **{("GET", path): Row(VIEW) for path in DICOM},
    **{("GET", path): Row(VIEW, passed=("not-acceptable",)) for path in (D + "/{study}", DICOM_SERIES, DICOM_INSTANCE)},
    **{("POST", path): Row(INSTRUCTOR, content=b"--b--", headers=STOW) for path in (D, D + "/{study}")},
    ("GET", S + "/iiif/manifest"): Row(VIEW),
    ("GET", S + "/iiif/canvas/annotations"): Row(VIEW),
    ("GET", A + "/cases/{case_id}/iiif/manifest"): Row(CASE),
    ("GET", S + "/export-estimate"): Row(VIEW),
    ("POST", S + "/exports"): Row(VIEW),
    ("POST", S + "/archive"): Row(VIEW),
    # -- annotations
    ("GET", S + "/annotations"): Row(VIEW),
    ("GET", S + "/annotations/{annotation_id}"): Row(VIEW, passed=("unknown-annotation",)),
    ("PUT", S + "/annotations/{annotation_id}"): Row(
        ANNOTATE, json={}, headers={"if-match": '"r1"'}, passed=("invalid-parameter",)
    ),
    ("DELETE", S + "/annotations/{annotation_id}"): Row(ANNOTATE, headers={"if-match": '"r1"'}),
    ("PUT", S + "/annotations/{annotation_id}/lock"): Row(ANNOTATE, passed=("unknown-annotation",)),
    ("DELETE", S + "/annotations/{annotation_id}/lock"): Row(ANNOTATE, passed=("unknown-annotation",)),
    ("GET", S + "/comments"): Row(VIEW),
    ("PUT", S + "/comments/{comment_id}"): Row(
        ANNOTATE, json={"annotation": "none", "text": "t"}, passed=("unknown-annotation",)
    ),
    ("DELETE", S + "/comments/{comment_id}"): Row(ANNOTATE, passed=("unknown-comment",)),
    ("POST", S + "/comments:read"): Row(
        OWN_SEEN, json={"annotation": "none", "sequence": 1}, passed=("unknown-annotation",)
    ),
    ("GET", S + "/people"): Row(ANNOTATE),
    ("GET", A + "/me/mentions"): Row(ACCOUNT),
    ("POST", S + "/annotations:batch"): Row(ANNOTATE, json={"changes": []}),
    ("PATCH", S + "/annotations:classes"): Row(ANNOTATE, json={"classes": {}}),
    ("POST", S + "/annotations:import"): Row(ANNOTATE, query="format=geojson", json=[]),
    # -- cases and tours
    ("GET", A + "/cases"): Row(ANYBODY),
    ("POST", A + "/cases"): Row(INSTRUCTOR, json={"title": "c"}),
    ("GET", A + "/cases/{case_id}"): Row(CASE),
    ("PATCH", A + "/cases/{case_id}"): Row(OWN_CASE, json={"title": "d"}),
    ("DELETE", A + "/cases/{case_id}"): Row("ss0ssff++", fresh="case"),
    ("POST", A + "/cases/{case_id}/slides"): Row(OWN_CASE, json={"slides": []}),
    ("PUT", A + "/cases/{case_id}/slides"): Row(OWN_CASE, json={"slides": ["visual"]}),
    ("DELETE", A + "/cases/{case_id}/slides/{slide_id}"): Row(OWN_CASE, fresh="member"),
    ("GET", A + "/tours"): Row(ANYBODY),
    ("POST", A + "/tours"): Row(ANNOTATE, query="slide=visual", json=TOUR),
    ("GET", A + "/tours/{tour_id}"): Row(VIEW),
    ("GET", A + "/tours/{tour_id}/file"): Row(VIEW),
    ("PUT", A + "/tours/{tour_id}"): Row(ANNOTATE, json=TOUR, headers={"if-match": '"r1"'}),
    ("DELETE", A + "/tours/{tour_id}"): Row(ANNOTATE, headers={"if-match": '"r1"'}, fresh="tour"),
    # -- quizzes
    ("GET", A + "/quizzes"): Row(ANYBODY),
    ("POST", A + "/quizzes"): Row(ANNOTATE, query="slide=visual", json=QUIZ),
    ("GET", A + "/quizzes/{quiz_id}"): Row(ANNOTATE),
    ("GET", A + "/quizzes/{quiz_id}/summary"): Row(VIEW),
    ("GET", A + "/quizzes/{quiz_id}/file"): Row(ANNOTATE),
    ("GET", A + "/quizzes/{quiz_id}/results"): Row(ANNOTATE),
    ("GET", A + "/quizzes/{quiz_id}/results/file"): Row(ANNOTATE),
    ("PUT", A + "/quizzes/{quiz_id}/attempts/{attempt_id}/marks/{question_id}"): Row(
        ANNOTATE, json={"points": 1}, passed=("unknown-question",)
    ),
    ("PUT", A + "/quizzes/{quiz_id}"): Row(ANNOTATE, json=QUIZ, headers={"if-match": '"r1"'}, fresh="quiz"),
    ("DELETE", A + "/quizzes/{quiz_id}"): Row(ANNOTATE, headers={"if-match": '"r1"'}, fresh="quiz"),
    ("POST", A + "/quizzes/{quiz_id}/attempts"): Row(EXPORT),
    ("GET", A + "/attempts/{attempt_id}"): Row(OWN_ATTEMPT),
    ("PUT", A + "/attempts/{attempt_id}/answers/{question_id}"): Row(OWN_ATTEMPT, json=ANSWER),
    ("POST", A + "/attempts/{attempt_id}/end"): Row(OWN_ATTEMPT),
    # -- the trash
    ("GET", A + "/trash"): Row(INSTRUCTOR),
    ("DELETE", A + "/trash"): Row(INSTRUCTOR),
    ("POST", A + "/trash/{slide_id}/restore"): Row(APART, fresh="trashed"),
    ("DELETE", A + "/trash/{slide_id}"): Row(APART, fresh="trashed"),
    ("GET", A + "/trash/{slide_id}/thumbnail"): Row("ss0ssff++", fresh="trashed"),
    # -- exports, uploads, jobs
    ("GET", V + "/export-estimate"): Row(EXPORT, query="x=0&y=0&width=8&height=8"),
    ("POST", V + "/exports"): Row(EXPORT, query="x=0&y=0&width=8&height=8&format=png"),
    ("POST", V + "/archive"): Row(EXPORT),
    ("GET", A + "/exports/{export_id}"): Row(MINE),
    ("DELETE", A + "/exports/{export_id}"): Row(MINE, fresh="export"),
    ("GET", A + "/exports/{export_id}/events"): Row(MINE),
    ("GET", A + "/exports/{export_id}/file"): Row(MINE),
    ("POST", A + "/uploads"): Row(INSTRUCTOR, query="filename=quick", content=b"x"),
    ("OPTIONS", RESUMABLE): Row(ANYBODY),
    ("POST", RESUMABLE): Row(INSTRUCTOR, headers=UPLOAD),
    ("GET", RESUMABLE + "/{upload_id}"): Row(OWN_UPLOAD),
    ("PATCH", RESUMABLE + "/{upload_id}"): Row(OWN_UPLOAD, content=b"x", headers=PIECE),
    ("DELETE", RESUMABLE + "/{upload_id}"): Row(OWN_UPLOAD, headers=TUS, fresh="upload"),
    ("GET", S + "/reencode"): Row(OWN),
    ("POST", S + "/reencode"): Row(OWN, query="quality=36dB", passed=("busy", "invalid-parameter")),
    ("GET", A + "/jobs"): Row(JOBS),
    ("GET", A + "/jobs/{job_id}"): Row(OWN_JOB),
    ("DELETE", A + "/jobs/{job_id}"): Row(OWN_JOB, fresh="job"),
    ("POST", A + "/jobs/{job_id}/start"): Row(OWN_JOB, fresh="waiting job"),
    ("GET", A + "/jobs/{job_id}/events"): Row(OWN_JOB),
    ("GET", PREVIEW): Row(OWN_JOB, fresh="waiting job"),
    ("GET", PREVIEW + "/tiles/{z}/{level}/{x}/{y}.{kind}"): Row(OWN_JOB, fresh="waiting job"),
    ("GET", PREVIEW + "/thumbnail"): Row(OWN_JOB, fresh="waiting job"),
    ("GET", A + "/jobs/{job_id}/advice"): Row(OWN_JOB, fresh="waiting job"),
    # -- sharing
    ("GET", S + "/sharing"): Row(OWN),
    ("PUT", S + "/sharing"): Row(APART, json=SHARING, fresh="slide"),
    ("GET", A + "/cases/{case_id}/sharing"): Row(OWN_CASE),
    ("PUT", A + "/cases/{case_id}/sharing"): Row(OWN_CASE, json=SHARING, fresh="case"),
    ("GET", S + "/links"): Row(OWN),
    ("POST", S + "/links"): Row(OWN, json={}),
    ("GET", A + "/cases/{case_id}/links"): Row(OWN_CASE),
    ("POST", A + "/cases/{case_id}/links"): Row(OWN_CASE, json={}),
    ("DELETE", A + "/links/{link_id}"): Row(MINE, fresh="link"),
    ("POST", A + "/links/open"): Row(ANYBODY, json={"token": "unknown"}, passed=("unknown-link",)),
    ("POST", A + "/grants"): Row(VIEW, json={"slides": ["visual"]}),
    ("GET", A + "/grants/keys"): Row(ANYBODY),
    # -- accounts
    ("GET", A + "/account"): Row(ANYBODY),
    ("POST", A + "/sign-in"): Row(ANYBODY, json={"name": "x", "password": "x"}, passed=("wrong-credentials",)),
    ("GET", A + "/oidc/sign-in"): Row(ANYBODY, passed=("not-found",)),
    ("GET", A + "/oidc/callback"): Row(ANYBODY, passed=("not-found",)),
    ("GET", A + "/lti/keys"): Row(ANYBODY),
    ("GET", A + "/lti/courses/{quiz_id}"): Row(ANNOTATE),
    ("GET", A + "/lti/login"): Row(ANYBODY, query="iss=x&login_hint=x", passed=("unknown-platform",)),
    ("POST", A + "/lti/login"): Row(ANYBODY, passed=("unknown-platform",)),
    ("POST", A + "/lti/launch"): Row(ANYBODY, passed=("launch-refused",)),
    ("GET", A + "/lti/launches/{launch_id}"): Row(ANYBODY, passed=("unknown-launch",)),
    ("GET", A + "/lti/launches/{launch_id}/choices"): Row(ANYBODY, passed=("unknown-launch",)),
    ("POST", A + "/lti/launches/{launch_id}/choice"): Row(
        ANYBODY, content=b"target=/slides/visual", passed=("unknown-launch",)
    ),
    ("GET", A + "/lti/register"): Row(ANYBODY, query="openid_configuration=x&invitation=x", passed=("launch-refused",)),
    ("GET", A + "/lti/platforms"): Row(ADMIN),
    ("POST", A + "/lti/platforms"): Row(ADMIN, json=PLATFORM, passed=("platform-exists",)),
    ("DELETE", A + "/lti/platforms/{platform_id}"): Row(ADMIN, passed=("unknown-platform",)),
    ("POST", A + "/lti/invitations"): Row(ADMIN),
    ("POST", A + "/sign-in/renew"): Row("cc+cc++++", fresh="window"),
    ("POST", A + "/sign-out"): Row(ANYBODY, fresh="window"),
    ("PUT", A + "/account/password"): Row(ACCOUNT, json={"old": "x", "new": "y"}, passed=("wrong-credentials",)),
    ("GET", A + "/account/second-factor"): Row(ACCOUNT),
    ("POST", A + "/account/second-factor"): Row(ACCOUNT, json={"password": "x"}, passed=("wrong-credentials",)),
    ("POST", A + "/account/second-factor/confirm"): Row(ACCOUNT, json={"code": "1"}, passed=("wrong-code",)),
    ("POST", A + "/account/second-factor/recovery-codes"): Row(
        ACCOUNT, json={"password": "x"}, passed=("wrong-credentials",)
    ),
    ("POST", A + "/account/second-factor/turn-off"): Row(
        ACCOUNT, json={"password": "x"}, passed=("wrong-credentials",)
    ),
    ("POST", A + "/sign-in/second-factor"): Row(
        ANYBODY, json={"name": "x", "password": "x"}, passed=("wrong-credentials",)
    ),
    ("DELETE", A + "/users/{user_id}/second-factor"): Row(ADMIN, passed=("no-second-factor",)),
    ("GET", A + "/account/tokens"): Row(ACCOUNT),
    ("POST", A + "/account/tokens"): Row(ACCOUNT, json={"title": "t"}),
    ("DELETE", A + "/account/tokens/{token_id}"): Row(ACCOUNT, passed=("unknown-token",)),
    ("GET", A + "/people"): Row(INSTRUCTOR),
    ("GET", A + "/users"): Row(ADMIN),
    ("POST", A + "/users"): Row(ADMIN, json={"name": "vera", "password": "long enough"}),
    ("POST", A + "/users/import/preview"): Row(ADMIN, json={"csv": "name\n"}),
    ("POST", A + "/users/import"): Row(ADMIN, json={"csv": "name\n"}),
    ("PATCH", A + "/users/{user_id}"): Row(ADMIN, json={"title": "Vera"}),
    ("GET", A + "/groups"): Row(ADMIN),
    ("POST", A + "/groups"): Row(ADMIN, json={"name": "g"}),
    ("PATCH", A + "/groups/{group_id}"): Row(ADMIN, json={"name": "h"}),
    ("DELETE", A + "/groups/{group_id}"): Row(ADMIN, fresh="group"),
    # -- live sessions; their members are known by membership, whatever their role (test_live_access.py)
    ("GET", A + "/sessions"): Row(ANYBODY),
    ("POST", A + "/sessions"): Row("000ssff++", json={"slides": ["visual"], "nickname": "n"}),
    ("GET", A + "/sessions/{code}"): Row(ANYBODY),
    ("POST", A + "/sessions/{code}/join"): Row(ANYBODY, json={"nickname": "n"}, fresh="joinable"),
    ("GET", A + "/sessions/{session_id}/attendance"): Row(MINE),
    ("GET", A + "/sessions/{session_id}/attendance/file"): Row(MINE),
    ("PATCH", A + "/sessions/{session_id}"): Row(MINE, json={"title": "t"}),
    ("POST", A + "/sessions/{session_id}/end"): Row(MINE, fresh="session"),
    ("DELETE", A + "/sessions/{session_id}"): Row(MINE, fresh="ended session"),
    ("GET", A + "/recordings"): Row(ANYBODY),
    ("GET", A + "/recordings/{recording_id}"): Row(MINE),
    ("PATCH", A + "/recordings/{recording_id}"): Row(MINE, json={"title": "t"}),
    ("DELETE", A + "/recordings/{recording_id}"): Row(MINE, fresh="recording"),
    ("GET", A + "/recordings/{recording_id}/entries"): Row(MINE),
    ("POST", A + "/recordings/{recording_id}/tour"): Row(MINE, json={"title": "t"}),
    # -- what tells of a person
    ("GET", S + "/identity"): Row(OWN),
    ("GET", S + "/identity/texts"): Row(OWN),
    ("GET", S + "/identity/images/{name}"): Row(OWN, passed=("unknown-label",)),
    ("DELETE", S + "/identity"): Row(OWN),
    ("GET", S + "/original"): Row(OWN, passed=("unknown-original",)),
    ("DELETE", S + "/original"): Row(OWN, passed=("unknown-original",)),
    ("GET", A + "/me/export"): Row(ACCOUNT),
    ("GET", A + "/me/coverage"): Row(ACCOUNT),
    ("DELETE", A + "/me/coverage"): Row(ACCOUNT),
    ("PUT", A + "/me/coverage"): Row(ACCOUNT, json={"shared": True}),
    ("GET", A + "/me/coverage/{slide_id}"): Row(OWN_SEEN),
    ("PUT", A + "/me/coverage/{slide_id}"): Row(OWN_SEEN, json={"views": [], "at": None, "consent": True}),
    # -- the audit log
    ("GET", A + "/audit"): Row(ADMIN),
    ("GET", A + "/audit.ndjson"): Row(ADMIN),
}


@dataclass(frozen=True)
class Message:
    """A message of the live connection, and what comes of it: + done; dropped; the error's or the closing's code.

    Nobody but members may send anything; a member may what the columns say, whatever it is outside of the session.
    ``ME`` in ``members`` is the sender.
    """

    members: Mapping[str, Any]
    member: str
    host: str = "+"


SOCKETS = {A + "/sessions/{session_id}/live", V + "/push"}
VIEW_OF = {"l0_x": 0.0, "l0_y": 0.0, "l0_width": 300.0, "l0_height": 400.0}
STEERING = {"everyone_steers": False, "guests_annotate": False, "locked": False}
MESSAGES: dict[str, Message] = {
    "hello": Message({"versions": [1], "client": "window-0"}, "4400", "4400"),  # a second one
    "ping": Message({"t": 1}, "+"),
    "view": Message({"pane": 0, "stage": 1, "view": VIEW_OF}, "dropped"),
    "cursor": Message({"pane": 0, "stage": 1, "l0_x": 1.0, "l0_y": 1.0}, "+"),
    "follow": Message({"ref": 1, "following": True}, "+"),
    "name": Message({"ref": 1, "name": "n"}, "+"),
    "hand": Message({"ref": 1, "member": "ME", "raised": True}, "+"),
    "lower-hands": Message({"ref": 1}, "not-allowed"),
    "present": Message({"ref": 1, "member": "ME"}, "not-allowed"),
    "allow": Message({"ref": 1, "member": "ME", "steers": True}, "not-allowed"),
    "pause": Message({"ref": 1, "paused": False}, "not-allowed"),
    "settings": Message({"ref": 1, "settings": STEERING}, "not-allowed"),
    "slides": Message({"ref": 1, "slides": ["visual"]}, "not-allowed"),
    "stage": Message({"ref": 1, "stage": {"slide": "visual"}}, "not-allowed"),
    "note": Message({"ref": 1, "text": "t"}, "not-allowed"),
    "groups": Message({"ref": 1, "groups": []}, "not-allowed"),
    "move": Message({"ref": 1, "member": "ME", "group": None}, "not-allowed"),
    "ask-poll": Message({"ref": 1, "kind": "single", "question": "q", "options": ["a", "b"]}, "not-allowed"),
    "answer-poll": Message({"ref": 1, "poll": "d0" * 16, "answer": {"choices": [0]}}, "unknown-poll", "unknown-poll"),
    "close-poll": Message({"ref": 1, "poll": "d0" * 16, "reveal": True}, "not-allowed", "unknown-poll"),
    "restore-poll": Message({"ref": 1, "poll": "d0" * 16}, "not-allowed", "unknown-poll"),
    "delete-poll": Message({"ref": 1, "poll": "d0" * 16}, "not-allowed", "unknown-poll"),
    "ask-question": Message({"ref": 1, "text": "q"}, "+"),
    "vote-question": Message({"ref": 1, "question": "d0" * 16, "vote": True}, "unknown-question", "unknown-question"),
    "answer-question": Message({"ref": 1, "question": "d0" * 16, "answered": True}, "not-allowed", "unknown-question"),
    "hide-question": Message({"ref": 1, "question": "d0" * 16, "hidden": True}, "not-allowed", "unknown-question"),
    "delete-question": Message({"ref": 1, "question": "d0" * 16}, "unknown-question", "unknown-question"),
    "record": Message({"ref": 1, "on": True}, "not-allowed"),
    "readmit": Message({"ref": 1, "member": "ME"}, "not-allowed"),
    "remove": Message({"ref": 1, "member": "ME"}, "not-allowed", "not-allowed"),  # the host stays
    "leave": Message({"ref": 1}, "+"),
    "end": Message({"ref": 1}, "not-allowed"),
}

"""A service with accounts and one of everything: what attacks on its routes name in their paths."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from attack.service import API, Service, add_account
from attack.slides import make_slides
from wavescope.service.protocols.dicom.uids import UidKind, uid_of

QUESTION = {"id": "q", "kind": "number", "text": "", "view": {}, "key": {"value": 1}}
QUIZ = {"title": "A quiz", "questions": [QUESTION]}
ACCOUNTS = {"vera": "viewer", "ivan": "instructor", "adam": "admin"}
SLIDE = "good"


@dataclass(frozen=True)
class Clinic:
    """A running service; ``names`` are values of path and query parameters that exist."""

    access: str  # local or accounts
    service: Service
    names: dict[str, Any]


@contextmanager
def clinic(folder: Path, access: str, **options: str) -> Iterator[Clinic]:
    """In mode ``local`` or ``accounts``, on a store of its own."""
    made, store = folder.parent / "clinic", folder / f"store-{access}"
    if not made.exists():  # one for all attacks; an attack that is stopped while it makes one leaves none
        making = folder / "clinic"
        make_slides(making, {SLIDE: "specimen:1100x700x2"})
        making.rename(made)
    shutil.copytree(made, store)
    (digest,) = (version.name for version in (store / "slides").iterdir())
    for name, role in ACCOUNTS.items() if access == "accounts" else ():
        add_account(store, name, role)
    with Service(store, access=access, **options) as service:
        admin = service.signed_in("adam") if access == "accounts" else service.client()
        found = {"slide_id": SLIDE, "digest": digest, **_dicom(digest), **_made(admin)}
        yield Clinic(access, service, {**PLACES, **found})


PLACES: dict[str, Any] = {
    "z": 0, "c": 0, "level": 0, "x": 0, "y": 0, "kind": "png", "page": 0, "name": "label", "width": 64, "height": 64,
    "job_id": "none", "export_id": "none", "recording_id": "none", "session_id": "none", "code": "ABCDEF",
    "quiz_id": "none", "attempt_id": "none", "launch_id": "none", "platform_id": "none",
    "iss": "x", "login_hint": "x", "openid_configuration": "x", "invitation": "x",
    "link_id": "none", "group_id": "none", "token_id": "none", "user_id": "none",
    "annotation_id": "a", "overlay_id": "none", "other_id": "visual", "filename": "s.svs", "upload_id": "0" * 32,
    "api": "3", "region": "full", "size": "9,", "rotation": "0", "quality": "default", "format": "jpg",
    "overlap": 0, "column": 0, "row": 0, "suffix": "png", "zoom": 0, "rest:path": "0/0/0/0/0",
    "frames": "1", "question_id": "q", "comment_id": "none",
}  # fmt: skip


def _dicom(digest: str) -> dict[str, str]:
    """The UIDs of the slide."""
    kinds = {"study": UidKind.STUDY, "series": UidKind.SERIES, "instance": UidKind.INSTANCE}
    return {name: uid_of(digest, kind) for name, kind in kinds.items()}


def _made(client: httpx.Client) -> dict[str, str]:
    """A case, a tour and an annotation."""
    point = {"kind": "point", "geometry": {"type": "Point", "coordinates": [10, 20]}}
    made = client.put(f"{API}/slides/{SLIDE}/annotations/a", json=point, headers={"if-none-match": "*"})
    assert made.status_code == 201, made.text
    case = client.post(f"{API}/cases", json={"title": "A case", "slides": [SLIDE]})
    tour = client.post(f"{API}/tours", json={"title": "A tour", "slide_id": SLIDE, "stops": []})
    quiz = client.post(f"{API}/quizzes", params={"slide": SLIDE}, json=QUIZ)
    attempt = client.post(f"{API}/quizzes/{quiz.json().get('id', 'none')}/attempts")
    found = {"case_id": case, "tour_id": tour, "quiz_id": quiz, "attempt_id": attempt}
    return {name: answer.json().get("id", "none") if answer.is_success else "none" for name, answer in found.items()}


def routes(client: httpx.Client, *methods: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(method, path, operation) of the served contract."""
    document = client.get("/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method in methods:
                yield method.upper(), path, operation


def filled(path: str, operation: dict[str, Any], names: dict[str, Any]) -> str:
    """The path with its parameters, and the query that it requires."""
    queries = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query" and one.get("required")]
    query = "&".join(f"{name}={names[name]}" for name in queries)
    return path.format(**names) + (f"?{query}" if query else "")

"""The slides, annotations and uploads of a service, and what its answers mean."""

from __future__ import annotations

import pickle
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from client.conftest import service_of
from service.world import World
from wavescope.api.problems import PROBLEMS
from wavescope.cli import main
from wavescope.client import BadAnswer, IngestFailed, Refused, Service, UploadProgress, aio, open_slide
from wavescope.client.problems import _NAMED, error_of, retry_after
from wavescope.client.retrying import Attempts
from wavescope.errors import (
    AnnotationConflict,
    InvalidParameter,
    OutOfRange,
    SignInRequired,
    TooManyRequests,
    Unavailable,
    UnknownAnnotation,
    UnknownSlide,
    UnsupportedSource,
    WavescopeError,
)

POINT = {"kind": "point", "geometry": {"type": "Point", "coordinates": [10, 20]}}


class Faults:
    """An ASGI middleware that answers some requests itself. ``answers``: by the end of a path, what it says instead:
    (status, headers, body), each once.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self.answers: list[tuple[str, int, dict[str, str], bytes]] = []
        self.headers: list[dict[bytes, bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            self.headers.append(dict(scope["headers"]))
            for answer in self.answers:
                ending, status, headers, body = answer
                if scope["path"].endswith(ending):
                    self.answers.remove(answer)
                    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
                    await send({"type": "http.response.start", "status": status, "headers": pairs})
                    await send({"type": "http.response.body", "body": body})
                    return
        await self._app(scope, receive, send)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory, world: World) -> Iterator[tuple[str, Faults]]:
    """A service of a copy of the world that gives wrong answers on request."""
    made: list[Faults] = []

    def wrap(app: Any) -> Faults:
        made.append(Faults(app))
        return made[0]

    copy = world.copy(tmp_path_factory.mktemp("faulty") / "store")
    with service_of(copy.store, wrap) as url:
        yield url, made[0]


def test_pc40_slides_by_search_and_tag(faulty: tuple[str, Faults]) -> None:
    url, _ = faulty
    with Service(url) as service:
        assert {slide.id for slide in service.slides()} == {"lossless", "visual", "planes"}
        assert [slide.title for slide in service.slides("planes")] == ["The planes one"]
        assert list(service.slides(tag="stain:HE")) == []
        assert list(service.slides(tag={"stain": "HE"})) == []
        with pytest.raises(InvalidParameter):
            list(service.slides(tag="stain"))
        with service.open_slide("planes") as slide, pickle.loads(pickle.dumps(service)) as copy:
            assert slide.version.planes == 2
            assert len(list(copy.slides())) == 3
        with pytest.raises(UnknownSlide):
            service.open_slide("nothing")


def test_pc41_an_edit_is_tried_again_where_another_user_was_faster(faulty: tuple[str, Faults]) -> None:
    url, _ = faulty
    with open_slide(f"{url}/slides/visual") as slide:
        annotations = slide.annotations
        made = annotations.add(POINT)
        calls: list[int] = []

        def rename(content: dict[str, Any]) -> None:
            calls.append(1)
            if len(calls) < 3:  # another user, meanwhile
                other(made.id, len(calls))
            content["name"] = f"{content.get('text', '')}!"

        def other(annotation_id: str, number: int) -> None:
            def work() -> None:
                import asyncio

                async def change() -> None:
                    async with await aio.open_slide(f"{url}/slides/visual") as again:
                        await again.annotations.edit(annotation_id, lambda c: {**c, "text": f"t{number}"})

                asyncio.run(change())

            thread = threading.Thread(target=work)
            thread.start()
            thread.join()

        found = annotations.edit(made.id, rename)
        assert (found.content["name"], found.content["text"], found.revision) == ("t2!", "t2", 4)
        calls.clear()
        with pytest.raises(AnnotationConflict):
            annotations.edit(made.id, rename, attempts=1)
        assert [each.id for each in annotations] == [made.id]
        assert list(annotations.list(bbox=(500, 500, 10, 10))) == []
        annotations.delete(made.id)
        with pytest.raises(UnknownAnnotation):
            annotations.get(made.id)
        with pytest.raises(InvalidParameter):
            annotations.add({"kind": "nonsense"})


def test_pc41_a_local_store_has_no_annotations(world: World) -> None:
    with open_slide(world.store / "visual") as slide, pytest.raises(InvalidParameter):
        _ = slide.annotations


@pytest.mark.slow
def test_pc42_an_upload_becomes_a_slide(faulty: tuple[str, Faults], tmp_path: Path) -> None:
    url, faults = faulty
    picture = np.random.default_rng(2).integers(0, 255, (300, 280, 3), np.uint8)
    Image.fromarray(picture).save(tmp_path / "new.png")
    seen: list[UploadProgress] = []
    faults.answers.append(("/uploads/resumable", 503, {"retry-after": "0"}, b""))
    with Service(url) as service:
        upload = service.upload(tmp_path / "new.png", progress=seen.append, quality="lossless", title="New one")
        with service.open_slide(upload.wait()) as slide:
            assert np.array_equal(slide.read_array(0, 0, 0, 280, 300), picture)
        assert [each.title for each in service.slides("New")] == ["New one"]
        size = (tmp_path / "new.png").stat().st_size
        assert [each.done for each in seen if each.stage == "sending"] == [0, size]
        again = service.upload(tmp_path / "new.png", quality="lossless")
        assert again.job is None
        assert again.wait() == upload.wait()
        (tmp_path / "bad.svs").write_bytes(b"no slide at all" * 99)
        with pytest.raises((IngestFailed, UnsupportedSource)):
            service.upload(tmp_path / "bad.svs").wait()
        with pytest.raises(InvalidParameter):
            service.upload(tmp_path / "new.png", wish="gold")


@pytest.mark.slow
@pytest.mark.parametrize("folder", [False, True])
def test_sh25_pc42_an_export_is_uploaded_and_becomes_a_slide_again(world: World, tmp_path: Path, folder: bool) -> None:
    target = tmp_path / ("out" if folder else "out.wsz")
    page = ["--no-page"] if folder else []
    assert main(["export", "visual", str(target), "--store", str(world.store), *page]) == 0
    if folder:
        target = Path(shutil.make_archive(str(tmp_path / "zipped"), "zip", tmp_path, "out"))
    with service_of(tmp_path / "store") as url, Service(url) as service:
        upload = service.upload(target, title="Back again")
        with service.open_slide(upload.wait()) as slide:
            assert slide.version.digest == world.digests["visual"]
        assert [each.title for each in service.slides("Back")] == ["Back again"]


def test_pc10_neighbours_and_their_ancestors_come_in_one_batch(faulty: tuple[str, Faults]) -> None:
    url, faults = faulty
    with open_slide(f"{url}/slides/lossless") as slide:
        faults.headers.clear()
        slide.read_array(0, 0, 0, 900, 900)  # 16 tiles, 4 and 1 ancestors, the approximation
        assert len(faults.headers) == 2  # a batch, and the approximation
        slide.read_arrays(0, [(10, 10, 300, 300), (500, 400, 300, 300)])
        assert len(faults.headers) == 2


def test_pc50_a_busy_service_is_asked_again(faulty: tuple[str, Faults], world: World) -> None:
    url, faults = faulty
    busy = b'{"type": "/problems/too-many-requests", "detail": "slow down", "seconds": 9}'
    faults.answers += [
        ("/slides/lossless", 429, {"retry-after": "0"}, busy),
        ("/manifest", 503, {"retry-after": "0"}, b""),
        ("/blocks:batch", 503, {"retry-after": "0"}, b"<html>"),
    ]
    with open_slide(f"{url}/slides/lossless") as slide:
        assert np.array_equal(slide.read_array(0, 0, 0, 300, 300), world.picture[:300, :300])
    assert faults.answers == []


def test_pc50_a_long_wait_is_refused(faulty: tuple[str, Faults]) -> None:
    url, faults = faulty
    faults.answers.append(("/slides/lossless", 503, {"retry-after": "3600"}, b""))
    with pytest.raises(Unavailable) as caught:
        open_slide(f"{url}/slides/lossless")
    assert caught.value.retry_after == 3600


def test_pc50_the_attempts_of_a_request_are_bounded() -> None:
    attempts = Attempts(4, 1.0)
    pauses = [attempts.pause(Unavailable("a", "b")) for _ in range(4)]
    assert pauses == [0.2, 0.4, None, None]
    assert Attempts(4, 100).pause(OutOfRange("x", 1, "y")) is None
    assert Attempts(4, 100).pause(TooManyRequests("x", 7)) == 7
    assert retry_after("120") == 120
    assert retry_after("9" * 30) == 86400
    assert retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20) == 40
    assert [retry_after(each, 0) for each in ("-1", "soon", "1.5", None, "x" * 99)] == [None] * 5


def test_pc51_a_token_is_sent_with_every_request(faulty: tuple[str, Faults], monkeypatch: pytest.MonkeyPatch) -> None:
    url, faults = faulty
    tokens: list[tuple[dict[str, Any], bytes | None]] = [
        ({"token": "abc"}, b"Bearer abc"),
        ({}, b"Bearer from-environment"),
        ({"token": ""}, None),
    ]
    for given, sent in tokens:
        monkeypatch.setenv("WAVESCOPE_TOKEN", "from-environment")
        faults.headers.clear()
        with open_slide(f"{url}/slides/lossless", **given) as slide:
            slide.read_array(0, 0, 0, 5, 5)
        assert len(faults.headers) >= 3
        assert {headers.get(b"authorization") for headers in faults.headers} == {sent}


@pytest.mark.parametrize(
    ("path", "answer", "error"),
    [
        ("/slides/lossless", (200, {}, b"[1]"), BadAnswer),
        ("/slides/lossless", (200, {}, b"{"), BadAnswer),
        ("/slides/lossless", (200, {}, b'{"digest": 7}'), BadAnswer),
        ("/slides/lossless", (200, {"content-length": "900"}, b'{"digest"'), Unavailable),
        ("/slides/lossless", (401, {}, b"no"), SignInRequired),
        ("/slides/lossless", (418, {}, b'{"type": 5, "detail": [1]}'), Refused),
        ("/slides/lossless", (302, {"location": "http://127.0.0.1:9/"}, b""), Refused),
        ("/manifest", (200, {}, b'{"digest": "x"}'), WavescopeError),
        ("/blocks:batch", (200, {}, b"\0" * 11), Unavailable),
        ("/blocks:batch", (200, {}, b"\0" * 8 + b"\xff" * 4), Unavailable),
        ("/blocks:batch", (200, {}, b"\7" + b"\0" * 11), Unavailable),
    ],
)
def test_pc52_hostile_answers_are_typed_errors(
    faulty: tuple[str, Faults], path: str, answer: tuple[int, dict[str, str], bytes], error: type[WavescopeError]
) -> None:
    url, faults = faulty
    faults.answers[:] = [(path, *answer)] * 9
    try:
        with pytest.raises(error), open_slide(f"{url}/slides/lossless", attempts=2, patience=0.5) as slide:
            slide.read_array(0, 0, 0, 300, 300)
    finally:
        faults.answers.clear()


def test_pc52_every_problem_has_its_class() -> None:
    ours = {cls: problem.name for cls, problem in PROBLEMS.items() if cls.__module__.startswith("wavescope.errors")}
    assert {name for name in ours.values() if name not in ("corrupt-store", "unreadable-source")} <= set(_NAMED)
    for name, cls in _NAMED.items():
        body = b'{"type": "/problems/%s", "detail": "why"}' % name.encode()
        error = error_of(PROBLEMS[cls].status, body, {})
        assert type(error) is cls
        assert PROBLEMS[cls].name == name
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), copy.__dict__) == (cls, "why", error.__dict__)


def test_pc52_the_members_of_a_problem_are_fields() -> None:
    body = b'{"type": "/problems/out-of-range", "detail": "d", "parameter": "x", "limits": "0 to 5"}'
    error = error_of(400, body, {})
    assert isinstance(error, OutOfRange)
    assert (error.name, error.limits) == ("x", "0 to 5")

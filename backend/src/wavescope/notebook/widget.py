"""The widget: an open slide in JupyterLab and what else shows anywidgets, and what it tells Python."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from wavescope import installation
from wavescope.client import Slide, open_slide
from wavescope.client.locations import RemoteLocation
from wavescope.errors import InvalidParameter, MissingPackage
from wavescope.notebook.exchange import Asked, Reply, asked, problem
from wavescope.notebook.file_answers import FileAnswers, is_export
from wavescope.notebook.local_annotations import LocalAnnotations
from wavescope.notebook.points import Points, points_of
from wavescope.notebook.slide_answers import SlideAnswers

try:
    import anywidget
except ImportError as cause:
    raise MissingPackage("anywidget", "a slide in a notebook", "notebook") from cause

PICTURE_SIDE = 576  # pixels of the picture that stands for the slide where nothing else can
VIEW = {"l0_x", "l0_y", "scale", "rotation", "flip", "plane"}
TOOLS = ("", "point", "line", "rectangle", "ellipse", "polygon", "freehand", "rows")


class SlideWidget(anywidget.AnyWidget):
    """A slide with its viewer. Traits follow the viewer, and the viewer follows them; ``observe`` tells of changes.

    ``view``: what is looked at: ``l0_x``, ``l0_y`` (the centre, level-0 pixels), ``scale`` (device pixels for each),
    ``rotation``, ``flip``, ``plane``; any may be left out. ``channels``: their mix, as ``channels=`` of the API.
    ``tool``: what the next drag draws. ``selected``: ids of annotations. ``annotations``: all of them, each with its
    ``id`` and its content. ``selection``: the rows of the points that are selected. ``state``: "opening", "ready" or
    why the slide cannot be shown.
    """

    _esm = t.Unicode().tag(sync=True)
    _source = t.Dict().tag(sync=True)
    _picture = t.Bytes().tag(sync=True)
    _points_change = t.Int(0).tag(sync=True)
    _selection_change = t.Int(0).tag(sync=True)
    _annotations_change = t.Int(0).tag(sync=True)
    view = t.Dict().tag(sync=True)
    channels = t.Unicode("").tag(sync=True)
    height = t.Int(480, min=100).tag(sync=True)
    tool = t.Enum(TOOLS, "").tag(sync=True)
    selected = t.List(t.Unicode()).tag(sync=True)
    state = t.Unicode("opening").tag(sync=True)
    annotations = t.Tuple()
    selection = t.Any()

    def __init__(self, slide: Slide | FileAnswers, picture: Image.Image, **traits: Any) -> None:
        self.slide = slide if isinstance(slide, Slide) else None
        self.points: Points | None = None
        self._files = slide if isinstance(slide, FileAnswers) else None
        self._own = LocalAnnotations()
        self._answers = SlideAnswers(self._own)
        self._views: dict[str, dict[str, Any]] = {}
        self._drawn = picture
        super().__init__(
            _esm=_built("widget.js").decode(),
            _source={**_source_of(slide), "code": hashlib.sha256(_built("viewer.js")).hexdigest()[:16]},
            _picture=_encoded(picture, "JPEG"),
            selection=np.empty(0, np.uint32),
            **traits,
        )
        self.on_msg(self._receive)

    @t.validate("view")
    def _check_view(self, proposal: Mapping[str, Any]) -> dict[str, Any]:
        view = dict(proposal["value"])
        numbers = [value for value in view.values() if isinstance(value, int | float)]
        if not view.keys() <= VIEW or not np.isfinite(numbers).all() or len(numbers) != len(view):
            raise t.TraitError(f"a view has {', '.join(sorted(VIEW))}, all numbers")
        return view

    @t.validate("selection")
    def _check_selection(self, proposal: Mapping[str, Any]) -> NDArray[np.uint32]:
        rows = np.asarray(proposal["value"])
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        count = 0 if self.points is None else len(self.points.xy)
        if rows.size and (rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= count):
            raise t.TraitError(f"a selection is numbers of rows, 0 to {count - 1}")
        return rows.astype(np.uint32)

    # --- what a notebook calls -------------------------------------------------------------------------------------

    def show_points(self, frame: Any, colour: str | None = None, x: str = "x", y: str = "y") -> None:
        """Draws the rows of a data frame over the slide, in place of those before (NB5). See ``points_of``."""
        self.points = points_of(frame, colour, x, y)
        self.selection = np.empty(0, np.uint32)
        self._points_change += 1

    def select(self, rows: ArrayLike) -> None:
        """Selects points: numbers of rows, or a mask. Raises TraitError."""
        self.selection = rows
        self._selection_change += 1

    def add_annotation(self, content: Mapping[str, Any], annotation_id: str | None = None) -> str:
        """Adds an annotation (kind, geometry, name, class ...), stored by the service of the slide, else in this
        widget; its id. Raises InvalidParameter for an exported slide, and what the service refuses it with.
        """
        if self._files is not None:
            raise InvalidParameter(
                "slide", self._files.path, "a slide of a service or a store: an export is not changed"
            )
        if self.slide is not None and isinstance(self.slide.location, RemoteLocation):
            stored = self.slide.annotations.add(content, annotation_id).id
        else:
            stored = annotation_id or os.urandom(16).hex()
            outcome = self._own.change(stored, 0, content)
            if outcome["status"] != "saved":
                raise InvalidParameter("annotation_id", stored, "an id that no annotation has")
            self._note(outcome["annotation"])
        self._annotations_change += 1
        return stored

    def picture(self, side: int = PICTURE_SIDE) -> Image.Image:
        """The view without a viewer: as far as it lies on the slide, at most ``side`` pixels, upright."""
        slide = self.slide
        if slide is None or not {"l0_x", "l0_y", "scale"} <= self.view.keys():
            return self._drawn
        width, height = (2 * side / self.view["scale"], side / self.view["scale"])
        left, top = self.view["l0_x"] - width / 2, self.view["l0_y"] - height / 2
        level = slide.get_best_level_for_downsample(1 / self.view["scale"])
        size = (max(1, int(width) >> level), max(1, int(height) >> level))
        return _flat(slide.read_region((int(left), int(top)), level, size), side)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """As anywidget, with a picture for what shows no widgets (NB6)."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, *more = bundle
        return ({**data, "image/png": base64.b64encode(_encoded(self._drawn, "PNG")).decode()}, *more)

    # --- what the viewer asks --------------------------------------------------------------------------------------

    def _receive(self, _: Any, content: Any, buffers: list[Any]) -> None:
        """Answers a message of the viewer, in the thread that it came in."""
        number = content.get("id") if isinstance(content, dict) else None
        try:
            request = asked(content, buffers)
            begun = self._begin(request)
        except Exception as error:
            return self._reply(number, problem(error))
        if isinstance(begun, Reply):
            return self._reply(number, begun)
        done = _in_this_loop(lambda: self._reply(number, self._answered(request, begun)))
        begun.add_done_callback(lambda _: done())
        return None

    def _begin(self, request: Asked) -> Reply | Future[Reply]:
        match request.method, request.path:
            case "GET", "/viewer.js":
                return Reply(_built("viewer.js"))
            case "GET", "/points":
                return Reply(status=204) if self.points is None else self.points.reply()
            case "GET", "/selection":
                return Reply(self.selection.tobytes())
            case "PUT", "/selection":
                self.selection = np.frombuffer(request.body, np.uint32)
                return Reply(status=204)
        if self._files is not None:
            return self._files.answer(request)
        assert self.slide is not None
        return self.slide.start(lambda core: self._answers.answer(core, request))

    def _answered(self, request: Asked, done: Future[Reply]) -> Reply:
        error = done.exception()
        if error is not None:
            return problem(error)
        reply = done.result()
        if "/annotations" in request.path and reply.status == 200:
            document = json.loads(reply.body)
            for view in document.get("annotations", []):
                self._note(view)
            for outcome in document.get("outcomes", []):
                if outcome.get("annotation"):
                    self._note(outcome["annotation"])
        return reply

    def _note(self, view: Mapping[str, Any]) -> None:
        """Remembers what an annotation is now."""
        if view["deleted"]:
            self._views.pop(view["id"], None)
        else:
            self._views[view["id"]] = dict(view)
        self.annotations = tuple({"id": key, **one["content"]} for key, one in self._views.items())

    def _reply(self, number: Any, reply: Reply) -> None:
        said = {"id": number, "status": reply.status, "headers": dict(reply.headers)}
        self.send(said, [reply.body])


def show(
    slide: Slide | str | os.PathLike[str],
    points: Any = None,
    *,
    colour: str | None = None,
    height: int = 480,
    channels: str = "",
    view: Mapping[str, Any] | None = None,
    **options: Any,
) -> SlideWidget:
    """A slide in the notebook: one that is open, the address of one of a service, one of a store (``STORE/ID``), or an
    exported slide (``.wsz`` file or folder).

    ``points``: a data frame with the columns x and y (level-0 pixels), ``colour``: its column of classes or numbers.
    ``options``: fields of ``wavescope.client.Options``, such as ``token``. Raises what ``open_slide`` raises.
    """
    opened: Slide | FileAnswers
    if isinstance(slide, Slide):
        opened, picture = slide, _thumbnail(slide)
    elif is_export(os.fspath(slide)):
        opened = FileAnswers(Path(slide))
        picture = Image.open(io.BytesIO(opened.thumbnail())).convert("RGB")
    else:
        opened = open_slide(slide, **options)
        picture = _thumbnail(opened)
    widget = SlideWidget(opened, picture, height=height, channels=channels, view=dict(view or {}))
    if points is not None:
        widget.show_points(points, colour)
    return widget


def _source_of(slide: Slide | FileAnswers) -> dict[str, Any]:
    """What the viewer opens. ``direct``: the service, where it may be asked without the token of this process."""
    if isinstance(slide, FileAnswers):
        return {"files": slide.path}
    location = slide.location
    direct = location.base if isinstance(location, RemoteLocation) and not slide.options.headers else None
    return {"slide": location.slide, "digest": slide.version.digest, "direct": direct}


def _built(name: str) -> bytes:
    path = installation.page_folder() / "notebook" / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not built: npm run build")
    return path.read_bytes()


def _thumbnail(slide: Slide) -> Image.Image:
    level = next((n for n, size in enumerate(slide.level_dimensions) if max(size) <= 2 * PICTURE_SIDE), -1)
    level %= slide.level_count
    return _flat(slide.read_region((0, 0), level, slide.level_dimensions[level]), PICTURE_SIDE)


def _flat(picture: Image.Image, side: int) -> Image.Image:
    """On white, at most ``side`` pixels a side."""
    ground = Image.new("RGB", picture.size, "white")
    ground.paste(picture, mask=picture.getchannel("A"))
    ground.thumbnail((side, side))
    return ground


def _encoded(picture: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **({"quality": 85} if kind == "JPEG" else {}))
    return out.getvalue()


def _in_this_loop(work: Callable[[], None]) -> Callable[[], None]:
    """``work`` for another thread: done in the event loop of the caller, or at once where it has none."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return work

    def later() -> None:
        loop.call_soon_threadsafe(work)

    return later

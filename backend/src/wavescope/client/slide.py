"""A slide for ordinary code: openslide's AbstractSlide over a local store or a service. Thread-safe; can be pickled."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from openslide import AbstractSlide
from PIL import Image

from wavescope.channels.channel import Channel
from wavescope.client import description
from wavescope.client.annotations import Annotation, Change
from wavescope.client.arrays import LevelArray, PatchDataset
from wavescope.client.async_slide import AsyncSlide, Box
from wavescope.client.channels import ChannelsByName
from wavescope.client.coefficients import Coefficients, Wavelet
from wavescope.client.features import Energy, Mask
from wavescope.client.locations import Location, Options, location_of
from wavescope.client.loop import Runner, after_fork, runner
from wavescope.client.overlays import AsyncOverlay, described
from wavescope.client.patches import Geometry, Patch
from wavescope.errors import WavescopeError
from wavescope.pixels.images import Pixels
from wavescope.pixels.region import Fill
from wavescope.registration.result import Registration
from wavescope.store.version import SlideVersion

Result = TypeVar("Result")


def open_slide(url_or_path: str | os.PathLike[str], options: Options | None = None, **given: Any) -> Slide:
    """Opens ``http(s)://HOST/api/v1/slides/ID``, ``STORE/ID`` or ``STORE/slides/DIGEST``.

    ``given``: fields of Options, such as ``token``. Raises InvalidParameter, UnknownSlide, StaleVersion, CorruptStore,
    Unavailable, and what a service refuses it with.
    """
    return Slide(location_of(url_or_path), options or Options(**given))


class SlideChannel:
    """One channel of a slide."""

    def __init__(self, slide: Slide, c: int, description: Channel) -> None:
        self.number, self.description = c, description
        self._slide = slide

    def read_array(self, level: int, x: int, y: int, w: int, h: int, *, plane: int | None = None) -> Pixels:
        """The stored samples (h, w), as Slide.read_channel."""
        return self._slide.read_channel(self.number, level, (x, y, w, h), plane=plane)


class Slide(AbstractSlide):
    """One version of a slide. Its methods are those of AsyncSlide, and those of openslide.

    Any thread may use it. In another process (pickled, or after a fork) it opens the same version again by itself.
    """

    def __init__(self, location: Location, options: Options) -> None:
        super().__init__()
        self._location, self._options, self._closed = location, options, False
        self._forked()
        self._location = self._core().location
        try:
            self._profile = self._run(AsyncSlide.icc_profile)
        except BaseException:
            self.close()
            raise

    def _forked(self) -> None:
        """Forgets what belongs to another process."""
        self._lock = threading.Lock()
        self._opened: tuple[Runner, AsyncSlide] | None = None
        after_fork(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"location": self._location, "options": self._options, "closed": self._closed, "profile": self._profile}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._location, self._options = state["location"], state["options"]
        self._closed, self._profile = state["closed"], state["profile"]
        self._forked()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._location)!r})"

    def _core(self) -> AsyncSlide:
        """What this process has opened."""
        with self._lock:
            if self._closed:
                raise ValueError(f"{self!r} is closed")
            if self._opened is None:
                own = runner()
                core = own.run(AsyncSlide.open(self._location, self._options))
                own.opened.add(core.close)
                self._opened = own, core
            return self._opened[1]

    def _run(self, work: Callable[[AsyncSlide], Coroutine[Any, Any, Result]]) -> Result:
        core = self._core()
        return runner().run(work(core))

    @property
    def location(self) -> Location:
        """Where it is, with its version."""
        return self._location

    @property
    def options(self) -> Options:
        """How it is read."""
        return self._options

    def start(self, work: Callable[[AsyncSlide], Coroutine[Any, Any, Result]]) -> Future[Result]:
        """Begins work on the slide in the client's thread, without waiting for it."""
        core = self._core()
        return runner().start(work(core))

    # --- openslide -------------------------------------------------------------------------------------------------

    @classmethod
    def detect_format(cls, filename: Any) -> str | None:
        """ "wavescope" if a slide is there by the look of its name; nothing is requested."""
        try:
            location_of(os.fsdecode(filename))
        except (WavescopeError, OSError):
            return None
        return "wavescope"

    def close(self) -> None:
        """Ends connections and releases the caches."""
        with self._lock:
            opened, self._opened, self._closed = self._opened, None, True
        if opened is not None:
            opened[0].opened.discard(opened[1].close)
            opened[0].run(opened[1].close())

    @property
    def level_count(self) -> int:
        return self._core().level_count

    @property
    def level_dimensions(self) -> tuple[tuple[int, int], ...]:
        return self._core().level_dimensions

    @property
    def level_downsamples(self) -> tuple[float, ...]:
        """Exact powers of two."""
        return self._core().level_downsamples

    @property
    def properties(self) -> Mapping[str, str]:
        return self._core().properties

    @property
    def associated_images(self) -> Mapping[str, Image.Image]:
        """None: labels and macro images are identifying data, which a service gives only to those who may see them."""
        return {}

    def get_best_level_for_downsample(self, downsample: float) -> int:
        return description.best_level(self.level_downsamples, downsample)

    def read_region(self, location: tuple[int, int], level: int, size: tuple[int, int]) -> Image.Image:
        """RGBA; ``location`` in level-0 pixels, ``size`` in pixels of the level; transparent outside of the slide."""
        picture = self._run(lambda core: core.read_region(location, level, size))
        if self._profile is not None:
            picture.info["icc_profile"] = self._profile
        return picture

    # --- arrays ----------------------------------------------------------------------------------------------------

    @property
    def version(self) -> SlideVersion:
        """The handle of the version, with its manifest."""
        return self._core().version

    def read_array(
        self,
        level: int,
        x: int,
        y: int,
        w: int,
        h: int,
        *,
        plane: int | None = None,
    ) -> Pixels:
        """See AsyncSlide."""
        return self._run(lambda core: core.read_array(level, x, y, w, h, plane=plane))

    def read_arrays(
        self,
        level: int,
        boxes: Sequence[Box],
        *,
        plane: int | None = None,
        layers: int | None = None,
        fill: Fill | None = None,
    ) -> list[Pixels]:
        """See AsyncSlide."""
        return self._run(lambda core: core.read_arrays(level, boxes, plane=plane, layers=layers, fill=fill))

    @property
    def channels(self) -> Mapping[str, SlideChannel]:
        """The channels of the slide by name: ``slide.channels["CD8"]``; none of RGB or grey."""
        return ChannelsByName(self.version.manifest.descriptions, lambda c, one: SlideChannel(self, c, one))

    def read_channel(self, c: int, level: int, box: Box, *, plane: int | None = None) -> Pixels:
        """See AsyncSlide."""
        return self._run(lambda core: core.read_channel(c, level, box, plane=plane))

    def level(self, level: int, *, plane: int | None = None) -> LevelArray:
        """A level as an array that reads what is sliced of it: ``slide.level(0)[y0:y1, x0:x1]``. Raises OutOfRange."""
        return LevelArray(self, level, plane)

    def to_dask(self, level: int, *, plane: int | None = None, chunk: int = 1024) -> Any:
        """A level as a dask array (height, width, channels). Raises MissingPackage without dask."""
        return self.level(level, plane=plane).to_dask(chunk)

    def patches(
        self,
        size: int,
        level: int = 0,
        *,
        step: int | None = None,
        mask: Mask | Sequence[Geometry] | str | None = None,
        least: float = 0.5,
        plane: int | None = None,
    ) -> Iterator[Patch]:
        """See AsyncSlide."""
        core = self._core()
        return each(core.patches(size, level, step=step, mask=mask, least=least, plane=plane))

    def dataset(
        self,
        size: int,
        level: int = 0,
        *,
        step: int | None = None,
        mask: Mask | Sequence[Geometry] | str | None = None,
        least: float = 0.5,
    ) -> PatchDataset:
        """The patches as a data set for ``torch.utils.data.DataLoader``, also with workers."""
        found = self._run(lambda core: core.positions(size, level, step=step, mask=mask, least=least))
        return PatchDataset(self, level, size, found)

    # --- coefficients ----------------------------------------------------------------------------------------------

    def samples(
        self, level: int, region: Box, *, plane: int | None = None, layers: int | None = None
    ) -> NDArray[np.float32]:
        """See AsyncSlide."""
        return self._run(lambda core: core.samples(level, region, plane=plane, layers=layers))

    def pixels_of(self, samples: NDArray[np.floating]) -> Pixels:
        """See AsyncSlide."""
        return self._core().pixels_of(samples)

    def coefficients(
        self,
        level: int,
        region: Box,
        depth: int = 1,
        *,
        wavelet: Wavelet = "rbio1.5",
        plane: int | None = None,
        layers: int | None = None,
    ) -> list[Coefficients]:
        """See AsyncSlide."""
        return self._run(
            lambda core: core.coefficients(level, region, depth, wavelet=wavelet, plane=plane, layers=layers)
        )

    def details(
        self, level: int, x: int, y: int, *, plane: int | None = None, layers: int | None = None
    ) -> NDArray[np.float32]:
        """See AsyncSlide."""
        return self._run(lambda core: core.details(level, x, y, plane=plane, layers=layers))

    def texture_energy(self, level: int, cell: int = 16, *, plane: int | None = None) -> Energy:
        """See AsyncSlide."""
        return self._run(lambda core: core.texture_energy(level, cell, plane=plane))

    def tissue_mask(self, level: int | None = None, cell: int = 16) -> Mask:
        """See AsyncSlide."""
        return self._run(lambda core: core.tissue_mask(level, cell))

    @property
    def annotations(self) -> Annotations:
        """The slide's annotations. Raises InvalidParameter for a local store."""
        return Annotations(self._core())

    @property
    def overlays(self) -> Overlays:
        """The slide's overlays. Raises InvalidParameter for a local store."""
        return Overlays(self._core())

    def registration(self, other: str) -> Registration:
        """See AsyncSlide."""
        return self._run(lambda core: core.registration(other))

    def overlay(self, name: str) -> Overlay:
        """The overlay of this id or name. Raises UnknownOverlay."""
        return self.overlays.get(name)


class Overlay:
    """An overlay of a slide of a service: AsyncOverlay for ordinary code."""

    def __init__(self, inner: AsyncOverlay) -> None:
        self._inner = inner
        self.id, self.name, self.digest, self.author = inner.id, inner.name, inner.digest, inner.author
        self.classes, self.score = inner.classes, inner.score

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {described(self._inner.manifest)})"

    def __len__(self) -> int:
        return len(self._inner)

    def region(self, x: float, y: float, width: float, height: float, *, level: int = 0) -> Any:
        """See AsyncOverlay."""
        return runner().run(self._inner.region(x, y, width, height, level=level))

    def all(self) -> Any:
        """See AsyncOverlay."""
        return runner().run(self._inner.all())

    def delete(self) -> None:
        """See AsyncOverlay."""
        runner().run(self._inner.delete())


class Overlays:
    """The overlays of a slide of a service: AsyncOverlays for ordinary code."""

    def __init__(self, core: AsyncSlide) -> None:
        self._overlays = core.overlays

    def __iter__(self) -> Iterator[Overlay]:
        return map(Overlay, each(self._overlays.list()))

    def get(self, name: str) -> Overlay:
        """See AsyncOverlays."""
        return Overlay(runner().run(self._overlays.get(name)))

    def add(self, source: Any, **given: Any) -> Overlay:
        """See AsyncOverlays."""
        return Overlay(runner().run(self._overlays.add(source, **given)))


class Annotations:
    """The annotations of a slide of a service: AsyncAnnotations for ordinary code."""

    def __init__(self, core: AsyncSlide) -> None:
        self._annotations = core.annotations

    def __iter__(self) -> Iterator[Annotation]:
        return self.list()

    def list(self, bbox: tuple[float, float, float, float] | None = None) -> Iterator[Annotation]:
        """See AsyncAnnotations."""
        return each(self._annotations.list(bbox))

    def get(self, annotation_id: str) -> Annotation:
        """See AsyncAnnotations."""
        return runner().run(self._annotations.get(annotation_id))

    def add(self, content: Mapping[str, Any], annotation_id: str | None = None) -> Annotation:
        """See AsyncAnnotations."""
        return runner().run(self._annotations.add(content, annotation_id))

    def edit(self, annotation_id: str, change: Change, attempts: int = 8) -> Annotation:
        """See AsyncAnnotations. ``change`` runs in the client's thread: it calls no method of the client."""
        return runner().run(self._annotations.edit(annotation_id, change, attempts))

    def delete(self, annotation_id: str) -> None:
        """See AsyncAnnotations."""
        runner().run(self._annotations.delete(annotation_id))


def each(items: AsyncIterator[Result]) -> Iterator[Result]:
    """The items of an asynchronous iterator, one by one."""

    async def following() -> tuple[Result, bool] | None:
        try:
            return await anext(items), True
        except StopAsyncIteration:
            return None

    try:
        while (found := runner().run(following())) is not None:
            yield found[0]
    finally:
        runner().run(items.aclose())  # type: ignore[attr-defined]  # all of the client's are generators

"""``ingest``: from a source to a published slide, resumable, in bounded memory (rules ST50 to ST58)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from wavescope.errors import IngestCancelled, InvalidParameter
from wavescope.geometry import Pyramid
from wavescope.ingest.ingest_source import DEIDENTIFIED, IngestSource, ingest_source_of
from wavescope.ingest.opened import SourceKey, keep_open
from wavescope.ingest.originals import KeptOriginal, check_keeping, staged_original
from wavescope.ingest.plan import Plan, Unit
from wavescope.ingest.progress import Meter, Progress
from wavescope.ingest.publish import check_readable, complete, published, was_moved
from wavescope.ingest.quality.channels import ChannelTrials, channel_samples, choose_channels
from wavescope.ingest.quality.choice import (
    MARGIN,
    MAX_TILES,
    TILES_OF_TARGET,
    Choice,
    check_quality,
    choose,
    source_facts,
)
from wavescope.ingest.quality.presets import DEFAULT, Quality, quality_of
from wavescope.ingest.quality.sampling import sample_of, sample_of_tiles, with_families
from wavescope.ingest.quality.target import EncodeTarget
from wavescope.ingest.remote_encoder import RemoteEncoder
from wavescope.ingest.schedule import Schedule, run, strips_in_flight
from wavescope.ingest.stored_source import PREFIX
from wavescope.ingest.strip import Task, encode_strip
from wavescope.ingest.work import WorkDirectory
from wavescope.kernel.codec import Codec, Steps
from wavescope.kernel.structs import KEY_BYTES
from wavescope.kernel.wasm import wasm_path
from wavescope.source.base import Limits, SlideSource
from wavescope.source.open import SPECIMEN
from wavescope.store.durable import make_private_directory
from wavescope.store.exported.reading import is_export, opened_export
from wavescope.store.exported.sinks import FolderSink
from wavescope.store.exported.version import write_version
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import ORIGINALS, NewVersion, StoredFile
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest, canonical, codecs_json, key_of_group, load_manifest
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.copy import manifest_of
from wavescope.store.objects.phi import phi_of

NEAR_ENOUGH = 0.2  # dB
MAX_ROUNDS = 3  # of encoding the whole slide for a PSNR; the first one misses it seldom
__all__ = ["DEIDENTIFIED", "Dropped", "Ingested", "Options", "Progress", "Publisher", "ingest"]


@dataclass(frozen=True)
class Ingested:
    """What came of it. ``encoded_tiles`` by this run; the rest was there from an interrupted one. ``dropped``: what a
    de-identifying ingest left out; None if it was not requested. ``notices``: what the user should know of the files.
    """

    slide_id: str
    digest: str
    manifest: Manifest
    tiles: int
    encoded_tiles: int
    dropped: Dropped | None = None
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dropped:
    """Names alone, never values."""

    texts: tuple[str, ...]
    images: tuple[str, ...]


class Publisher(Protocol):
    """The catalog, as far as an ingest knows it."""

    def publish_version(
        self, slide_id: str, title: str, version: NewVersion, *, replace: bool = True, owner: str = ""
    ) -> object: ...

    def expect_original(self, original: StoredFile) -> None: ...


@dataclass(frozen=True)
class Options:
    """How to ingest. ``title`` may be empty: the one the slide has, else its id. ``executor`` may be any Executor
    whose workers see the same files; by default threads, ``workers`` of them (default: one per processor).
    ``deidentify``: label, macro image, identifying texts and the file's name are not stored anywhere (PR43).
    """

    slide_id: str
    title: str = ""
    quality: str = DEFAULT  # a name or a PSNR, see presets.py
    channel_quality: str = ""  # of a source of channels, in place of ``quality``
    steps: Steps | None = None  # None: those that serve the quality best
    replace: bool = True
    owner: str = ""  # of a new slide; empty: the admins
    workers: int | None = None
    executor: Executor | None = None
    deidentify: bool = False
    limits: Limits = field(default_factory=Limits)  # of what the reader may decode at once
    backend: ObjectBackend | None = None  # where the version is published; None: in the store
    encode_elsewhere: RemoteEncoder | None = None  # makes what other machines can make, before the rest is made here
    keep_original: bool = False  # store the source's file beside the version (ST90); never with ``deidentify``
    fingerprint: str = ""  # of the source, if the caller has computed it just now: it reads every byte


def ingest(
    source: Path | str,
    store: Path,
    catalog: Publisher,
    options: Options,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Ingested:
    """Ingest a file, folder or ``specimen:`` description and publish it as ``options.slide_id``.

    Raises SourceError kinds, StoreBusy, StoreFull, IngestCancelled, SlideExists (only if not ``replace``), CorruptStore
    (what was made cannot be read, ST62); after any of them, and after a crash, the catalog is as before and a second
    call continues where this one ended.
    """
    time, made_here = options.limits.time, str(source).startswith((PREFIX, SPECIMEN))
    returned = not made_here and is_export(Path(source))
    if time and (made_here or returned):
        raise InvalidParameter("--time", time + 1, "absent for a source without time points")
    if returned:
        return _returned(Path(source), StorePaths(store), catalog, options, progress, cancelled)
    stored_phi = phi_of(StorePaths(store), options.backend)
    ingest_source = ingest_source_of(source, stored_phi, options.deidentify, options.fingerprint, time)
    if options.keep_original:
        check_keeping(ingest_source.spec, options.deidentify)
    key = SourceKey(ingest_source.spec, ingest_source.fingerprint, options.limits)
    identity = ingest_source.phi
    with keep_open(key) as opened:
        if opened.info.descriptions and options.channel_quality:
            options = replace(options, quality=options.channel_quality)
        quality = ingest_source.target(quality_of(options.quality))
        check_quality(quality, opened)
        made = _Ingest(ingest_source, key, opened, StorePaths(store), options, quality)
        with made.work.entered(made.description()):
            manifest, encoded = made.make(progress, cancelled)
            while made.choose_smaller(manifest) or made.choose_nearer(manifest):
                made.work.begin_again(made.description())
                manifest, encoded = made.make(progress, cancelled)
            made.check_smaller(manifest)
            if made.work.version.manifest.exists():
                check_readable(made.work, manifest.digest)
            kept = made.kept_original(cancelled)
            with (
                kept.stored(catalog.expect_original) as settle,
                published(made.work, made.paths, manifest, options.backend),
            ):
                if identity and not options.deidentify:
                    phi_of(made.paths, options.backend).write(manifest.digest, identity.texts, identity.images)
                settle()
                version = NewVersion(manifest.digest, manifest.stored_json(), kept.file)
                catalog.publish_version(
                    options.slide_id, options.title, version, replace=options.replace, owner=options.owner
                )
            made.work.remove()
    dropped = Dropped(tuple(identity.texts), tuple(sorted(identity.images))) if options.deidentify else None
    return Ingested(
        options.slide_id, manifest.digest, manifest, made.plan.total_tiles, encoded, dropped, opened.info.notices
    )


def _returned(
    source: Path,
    paths: StorePaths,
    catalog: Publisher,
    options: Options,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool],
) -> Ingested:
    """The version of an export becomes one of the store, byte by byte: no quality applies to it (SH25).

    Raises UnreadableSource, StaleVersion, CorruptStore, InvalidParameter (nothing in it can be de-identified).
    """

    def report(done: int, total: int) -> None:
        if cancelled():
            raise IngestCancelled
        progress(Progress(done, total, 0))

    with opened_export(source) as export:
        manifest, _ = manifest_of(export.files, export.digest)
        if options.deidentify and manifest.source.name != DEIDENTIFIED:
            raise InvalidParameter("the file", source.name, "an export of a slide that was imported with --deidentify")
        plan = Plan(Pyramid(manifest.width, manifest.height), manifest.planes, manifest.channel_groups)
        make_private_directory(paths.ingest)
        work = WorkDirectory(paths.ingest / f"export-{export.digest}", plan)
        with work.entered({"export": export.digest}):
            if was_moved(work, paths) is None:
                write_version(export.files, export.digest, FolderSink(work.version.root), report)
                check_readable(work, export.digest)
            with published(work, paths, manifest, options.backend):
                version, title = NewVersion(export.digest, manifest.stored_json()), options.title or export.title
                catalog.publish_version(options.slide_id, title, version, replace=options.replace, owner=options.owner)
            work.remove()
    return Ingested(options.slide_id, export.digest, manifest, plan.total_tiles, plan.total_tiles)


class _Ingest:
    """One ingest between its opened source and its complete version."""

    def __init__(
        self,
        ingest_source: IngestSource,
        key: SourceKey,
        source: SlideSource,
        paths: StorePaths,
        options: Options,
        quality: Quality,
    ) -> None:
        info = source.info
        self.key, self.source, self.info, self.paths, self.options = key, source, info, paths, options
        self._input, self._quality = ingest_source, quality
        self.plan = Plan(Pyramid(info.width, info.height), info.planes, info.groups)
        self._facts = source_facts(key.spec, source)
        self._steps = options.steps or quality.steps
        self._chosen_for = self._of_channels() if info.descriptions else self._of_picture()
        kind = f"{options.quality} {self._steps}" + (f" {DEIDENTIFIED}" if options.deidentify else "")
        name = hashlib.sha256(f"{key.fingerprint} {kind}".encode()).hexdigest()[:32]
        make_private_directory(paths.ingest)
        self.work = WorkDirectory(paths.ingest / name, self.plan)
        self._target = EncodeTarget.of(self.work.described()) or EncodeTarget(quality.psnr, MARGIN, 1)
        self.choice = self._choose()

    def _of_picture(self) -> Callable[[Quality, float], Choice]:
        """What chooses the encode parameters, for a quality and the margin of ``auto``."""
        sample = sample_of(self.source, self.plan.pyramid, self.info.planes)
        if self._quality.psnr is not None:
            sample = sample_of_tiles(self.source, sample, TILES_OF_TARGET)
        else:
            sample = with_families(self.source, sample, MAX_TILES)
        return lambda quality, margin: choose(sample, quality, self._steps, self._facts, margin)

    def _of_channels(self) -> Callable[[Quality, float], Choice]:
        samples, tiles = channel_samples(self.source)

        def chosen(quality: Quality, margin: float) -> Choice:
            with ThreadPoolExecutor(os.cpu_count() or 1, "wavescope-quality") as executor:
                choice = choose_channels(ChannelTrials(samples, executor), quality, self._facts, margin)
            return replace(choice, tiles=tiles)

        return chosen

    def kept_original(self, cancelled: Callable[[], bool]) -> KeptOriginal:
        """Ready to be stored with the version. Raises as ``staged_original``."""
        options, originals = self.options, files_at(self.paths, self.options.backend, ORIGINALS)
        staged = None
        if options.keep_original:
            staged = staged_original(self._input, self.work.root, originals, cancelled)
        return KeptOriginal(staged, originals, none=options.deidentify)

    def _choose(self) -> Choice:
        quality = replace(self._quality, psnr=self._target.psnr)
        choice = self._chosen_for(quality, self._target.margin)
        chosen, key = replace(choice.chosen, target=self._quality.psnr), self._key(choice.codecs)
        codecs = tuple(replace(codec, key=key_of_group(key, c)) for c, codec in enumerate(choice.codecs))
        return replace(choice, chosen=chosen, codecs=codecs)

    def _key(self, codecs: Sequence[Codec]) -> str:
        """The key of the slide: its own for every source and choice of parameters (ST78)."""
        size = [self.info.width, self.info.height, self.info.planes, self.info.channels]
        named = {"fingerprint": self.key.fingerprint, "size": size, "codec": codecs_json(codecs)}
        return hashlib.sha256(canonical(named)).hexdigest()[: 2 * KEY_BYTES]

    def description(self) -> dict[str, Any]:
        """Everything the shards' bytes depend on: a resumed ingest must agree in it."""
        return {
            "layout": 2,
            "fingerprint": self.key.fingerprint,
            "size": [self.info.width, self.info.height, self.info.planes, self.info.channels],
            "aim": vars(self._target),
            "codec": codecs_json(self.choice.codecs),
            "kernel": hashlib.sha256(wasm_path().read_bytes()).hexdigest(),
        }

    def choose_smaller(self, manifest: Manifest) -> bool:
        """Whether ``auto`` has to encode again: the bytes exceed its limit (ST67), and coarser parameters are left."""
        most = self._facts.max_bytes
        size = sum(map(sum, manifest.bytes))
        if self._quality.name != "auto" or most is None or size <= most:
            return False
        margin = 0.97 * self.choice.estimate / size  # the sample promised fewer
        return self._set_target(replace(self._target, margin=margin))

    def choose_nearer(self, manifest: Manifest) -> bool:
        """Whether a requested PSNR was missed, so that other parameters are tried (ST66)."""
        wanted = quality_of(self.options.quality).psnr
        reached = None if manifest.quality is None else manifest.quality.psnr[0][-1]
        if wanted is None or self._target.psnr is None or reached is None or self._target.round == MAX_ROUNDS:
            return False
        if abs(wanted - reached) <= NEAR_ENOUGH:
            return False
        return self._set_target(
            replace(self._target, psnr=self._target.psnr + wanted - reached, round=self._target.round + 1)
        )

    def _set_target(self, target: EncodeTarget) -> bool:
        """Whether other parameters come of it."""
        before, self._target = self.choice.codecs, target
        self.choice = self._choose()
        return self.choice.codecs != before

    def check_smaller(self, manifest: Manifest) -> None:
        """Raises InvalidParameter if a version of a stored version would be no smaller than that one (ST68)."""
        before = self._input.before
        size, least = sum(map(sum, manifest.bytes)), 0 if before is None else sum(map(sum, before.bytes))
        if before is not None and size >= least:
            self.work.remove()
            text = f"one that makes the slide smaller: it would have {size:,} bytes, it has {least:,}"
            raise InvalidParameter("quality", self.options.quality, text)

    def make(self, progress: Callable[[Progress], None], cancelled: Callable[[], bool]) -> tuple[Manifest, int]:
        """Encode what is missing and complete the version; its manifest and the number of tiles encoded now."""
        moved = was_moved(self.work, self.paths)
        if moved is not None:
            return load_manifest(self.paths.slides, moved), 0
        missing = self.work.missing()
        count = sum(self.plan.tile_count(unit) for unit in missing)
        meter = Meter(self.plan.total_tiles, self.plan.total_tiles - count, progress)
        if (elsewhere := self.options.encode_elsewhere) is not None:
            elsewhere(self.key, self.work, self.choice.codecs, meter.count, cancelled)
            missing = self.work.missing()
        with self._executor() as (executor, workers):
            submit = partial(self._submit, executor)
            schedule = Schedule(self.plan, missing)
            run(schedule, submit, self.work.finish, meter.count, cancelled, strips_in_flight(workers))
        return complete(self.work, self.choice, self.source, self._input), count

    def _submit(self, executor: Executor, unit: Unit, strip: int) -> Any:
        task = Task(self.key, self.work.spills.absolute(), self.plan, self.choice.codecs[unit.c], unit, strip)
        return executor.submit(encode_strip, task)

    @contextmanager
    def _executor(self) -> Iterator[tuple[Executor, int]]:
        workers = self.options.workers or os.cpu_count() or 1
        if self.options.executor is not None:
            yield self.options.executor, workers
        else:
            with ThreadPoolExecutor(workers, "wavescope-ingest") as executor:
                yield executor, workers

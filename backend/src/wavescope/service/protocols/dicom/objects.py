"""Finding the slide that a UID names, for those who may see it (DW3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.protocols.by_digest import NamedVersion, SlidesByDigest
from wavescope.errors import UnknownDicomObject
from wavescope.service.access.authenticator import Credentials
from wavescope.service.access.gate import Gate, Principal
from wavescope.service.protocols.dicom.dataset import DicomSlide
from wavescope.service.protocols.dicom.uids import UidKind, UidParts, read_uid
from wavescope.service.slides.lookups import CatalogLookups
from wavescope.service.slides.slides import SlideService
from wavescope.service.slides.versions import CatalogVersions
from wavescope.service.version_opener import Opened
from wavescope.store.version import SlideVersion


class DicomPath(NamedTuple):
    """The UIDs of a path, as the client wrote them; None: the path does not name it."""

    study: str
    series: str | None = None
    instance: str | None = None


class DicomObject(NamedTuple):
    """What a path names; ``level``: that of its instance, else None."""

    slide_id: str
    opened: Opened
    level: int | None

    @property
    def version(self) -> SlideVersion:
        return self.opened.version

    @property
    def levels(self) -> range:
        """Those of its instances."""
        return range(self.version.top + 1) if self.level is None else range(self.level, self.level + 1)


class DicomObjects:
    """Studies, series and instances of a catalog. One event loop, which does not wait for the catalog."""

    def __init__(
        self, catalog: Catalog, gate: Gate, lookups: CatalogLookups, versions: CatalogVersions, slides: SlideService
    ) -> None:
        self.by_digest, self._gate = SlidesByDigest(catalog), gate
        self._lookups, self._versions, self._slides = lookups, versions, slides

    async def open(self, principal: Callable[[], Principal], credentials: Credentials, path: DicomPath) -> DicomObject:
        """What a path names. ``principal``: who has the credentials. Raises UnknownDicomObject, also for what the
        principal may not see; CorruptStore.
        """
        slide_id, digest = await self._lookups.of(lambda: self._find(principal(), path))
        opened = await self._versions.open(credentials, slide_id, digest)
        instance = None if path.instance is None else read_uid(path.instance)
        if instance is not None and instance.number > opened.version.top:
            raise UnknownDicomObject("instance", path.instance or "")
        return DicomObject(slide_id, opened, None if instance is None else instance.number)

    async def described(self, principal: Principal, found: DicomObject) -> DicomSlide:
        """Its slide with what the catalog says of it. Raises UnknownSlide."""
        record = await self._slides.get(principal, found.slide_id)
        mpp = None if record.mpp is None else (record.mpp["x"], record.mpp["y"])
        return DicomSlide(found.version, record.id, record.title, mpp, record.created)

    def _find(self, principal: Principal, path: DicomPath) -> NamedVersion:
        study = read_uid(path.study)
        if study is None or (study.kind, study.number) != (UidKind.STUDY, 0):
            raise UnknownDicomObject("study", path.study)
        versions = self.by_digest.versions(study.prefix)
        found = next((one for one in versions if self._gate(principal, "view slide", one.slide_id)), None)
        if found is None:
            raise UnknownDicomObject("study", path.study)
        if path.series is not None and read_uid(path.series) != UidParts(study.prefix, UidKind.SERIES, 0):
            raise UnknownDicomObject("series", path.series)
        if path.instance is not None:
            instance = read_uid(path.instance)
            if instance is None or instance[:2] != (study.prefix, UidKind.INSTANCE):
                raise UnknownDicomObject("instance", path.instance)
        return found

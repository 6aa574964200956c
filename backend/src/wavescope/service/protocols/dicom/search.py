"""Searching studies, series and instances of the slides that a principal may see (DW12 to DW14)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from wavescope.catalog.protocols.by_digest import Filter, SlidesByDigest
from wavescope.catalog.records import SlideRecord
from wavescope.catalog.visible import visible_to
from wavescope.errors import CorruptStore, InvalidParameter, UnsupportedVersion
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.protocols.dicom.dataset import DicomSlide, instance_dataset
from wavescope.service.protocols.dicom.documents import ANSWERED, SERIES, STUDY, Document, result
from wavescope.service.protocols.dicom.query import Query, matches_all, parse_query
from wavescope.service.protocols.dicom.uids import UidKind
from wavescope.store.manifest import canonical, parse_manifest
from wavescope.store.version import SlideVersion

SHARED = STUDY | SERIES
CHUNK = 50  # slides read from the catalog at once
MAX_SLIDES = 2000
"""Slides that one search for instances looks through."""
Pairs = list[tuple[str, str]]


class Found(NamedTuple):
    """``notices``: what the client should know of the search."""

    results: list[Document]
    notices: tuple[str, ...]


class DicomSearch:
    """Searches in the order of import, the newest first."""

    def __init__(self, by_digest: SlidesByDigest, gate: Gate) -> None:
        self._by_digest, self._gate = by_digest, gate

    async def search(self, principal: Principal, kind: UidKind, pairs: Pairs, root: str) -> Found:
        """Results of this kind, which also say what their study and series say. ``pairs``: the query, with the UIDs of
        the path; ``root``: the address of the DICOMweb service. Raises InvalidParameter.
        """
        require(self._gate, principal, "list slides")
        return await asyncio.to_thread(self._search, principal, kind, pairs, root)

    def _search(self, principal: Principal, kind: UidKind, pairs: Pairs, root: str) -> Found:
        query = parse_query(pairs)
        wanted = frozenset[str]().union(*(ANSWERED[one] for one in UidKind if one <= kind and one in ANSWERED))
        notices = list(query.notices)

        def made(slide: DicomSlide, level: int) -> Document:
            if query.include is None:
                found = {element.keyword for element in instance_dataset(slide, level)}
                return result(slide, kind, level, frozenset(found), root)
            return result(slide, kind, level, wanted | query.include, root)

        if kind is UidKind.INSTANCE:
            results, complete = self._instances(principal, query, made)
        else:
            results, complete = self._slides(principal, query, made)
        if not complete:
            notices.append("There are additional results that can be requested")
        return Found(results, tuple(notices))

    def _slides(
        self, principal: Principal, query: Query, made: Callable[[DicomSlide, int], Document]
    ) -> tuple[list[Document], bool]:
        """Of one study and one series a slide: what is asked beside UIDs and titles is the same for all slides."""
        wanted, visible = Filter(query.prefixes, query.titles), visible_to(principal)
        first = next(readable(self._by_digest.window(visible, wanted, 0, CHUNK)), None)
        if first is None:
            return [], True
        example, conditions = instance_dataset(first, 0), query.without_instances
        for keyword, value in conditions:
            if keyword in example and keyword not in SHARED:
                raise InvalidParameter(keyword, value[:80], "an attribute of studies and series; search for instances")
        if not matches_all(example, conditions):
            return [], True
        found = self._by_digest.window(visible, wanted, query.offset, query.limit + 1)
        return [made(one, 0) for one in readable(found[: query.limit])], len(found) <= query.limit

    def _instances(
        self, principal: Principal, query: Query, made: Callable[[DicomSlide, int], Document]
    ) -> tuple[list[Document], bool]:
        results, passed = list[Document](), 0
        for number, slide in enumerate(readable(self._records(principal, query))):
            if number >= MAX_SLIDES:
                return results, False
            for level in range(slide.version.top + 1):
                if query.rest and not matches_all(instance_dataset(slide, level), query.rest):
                    continue
                passed += 1
                if passed <= query.offset:
                    continue
                if len(results) == query.limit:
                    return results, False
                results.append(made(slide, level))
        return results, True

    def _records(self, principal: Principal, query: Query) -> Iterator[SlideRecord]:
        wanted, visible, offset = Filter(query.prefixes, query.titles), visible_to(principal), 0
        while records := self._by_digest.window(visible, wanted, offset, CHUNK):
            yield from records
            offset += len(records)


def readable(records: Iterable[SlideRecord]) -> Iterator[DicomSlide]:
    """Those that this version of the software can serve: another one is not in the way of the others."""
    for record in records:
        with suppress(CorruptStore, UnsupportedVersion):
            yield dicom_slide(record)


def dicom_slide(record: SlideRecord) -> DicomSlide:
    """The slide with its current version, as the catalog knows it. Raises CorruptStore, UnsupportedVersion."""
    manifest = parse_manifest(canonical({**record.manifest, "digest": record.digest}), record.digest)
    mpp = None if record.mpp is None else (record.mpp["x"], record.mpp["y"])
    return DicomSlide(SlideVersion.of(record.digest, manifest), record.id, record.title, mpp, record.created)

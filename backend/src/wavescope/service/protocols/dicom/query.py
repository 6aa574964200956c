"""The query of a search (PS3.18 8.3.4, PS3.4 C.2.2.2) as plain values, and what matches it (DW13). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import translate
from typing import TYPE_CHECKING, NamedTuple

from wavescope.errors import InvalidParameter
from wavescope.service.protocols.dicom.uids import UidKind, read_uid
from wavescope.source.dicom.library import require_pydicom

if TYPE_CHECKING:
    from pydicom.dataset import Dataset

LIMIT = 100
MAX_LIMIT = 1000
"""Results in one answer: without a limit, and at most."""
LONGEST = 18  # digits
MAX_VALUES = 200
"""UIDs of one list, and parameters of one query."""
TAG = re.compile(r"[0-9A-Fa-f]{8}")
UIDS = {"StudyInstanceUID": UidKind.STUDY, "SeriesInstanceUID": UidKind.SERIES, "SOPInstanceUID": UidKind.INSTANCE}
TITLES = frozenset({"StudyDescription", "SeriesDescription"})
RANGES = frozenset({"DA", "TM", "DT"})
NUMBERS = frozenset({"US", "UL", "SS", "SL", "IS", "DS", "FL", "FD", "SV", "UV"})


class Match(NamedTuple):
    """A condition: an attribute by its keyword, and the value that it must have."""

    keyword: str
    value: str


class Query(NamedTuple):
    """``include``: keywords that results also say, None: all. ``notices``: what the client should know."""

    matches: tuple[Match, ...]
    include: frozenset[str] | None
    offset: int
    limit: int
    notices: tuple[str, ...] = ()

    @property
    def prefixes(self) -> list[str] | None:
        """The first digits of the digests of slides that the UIDs allow; None: all slides."""
        found: set[str] | None = None
        for keyword, kind in UIDS.items():
            for value in (match.value for match in self.matches if match.keyword == keyword):
                parts = [read_uid(uid) for uid in values_of(value)]
                named = {one.prefix for one in parts if one is not None and one.kind is kind}
                found = named if found is None else found & named
        return None if found is None else sorted(found)

    @property
    def titles(self) -> list[str]:
        """What the title of a slide must be like."""
        return [match.value for match in self.matches if match.keyword in TITLES]

    @property
    def rest(self) -> tuple[Match, ...]:
        """The conditions that neither of these states."""
        apart = {"StudyInstanceUID", "SeriesInstanceUID"} | TITLES
        return tuple(match for match in self.matches if match.keyword not in apart)

    @property
    def without_instances(self) -> tuple[Match, ...]:
        """``rest`` for studies and series, which SOPInstanceUID finds by their digest."""
        return tuple(match for match in self.rest if match.keyword != "SOPInstanceUID")


def parse_query(pairs: Sequence[tuple[str, str]]) -> Query:
    """Raises InvalidParameter, MissingPackage. Waits for pydicom's import."""
    require_pydicom("DICOMweb")
    if len(pairs) > MAX_VALUES:
        raise InvalidParameter("query", len(pairs), f"at most {MAX_VALUES} parameters")
    matches, include, everything = list[Match](), set[str](), False
    offset, limit, notices = 0, LIMIT, list[str]()
    for name, value in pairs:
        if name == "offset":
            offset = _number(name, value)
        elif name == "limit":
            limit = _number(name, value)
        elif name == "includefield":
            everything |= "all" in value.split(",")
            include |= {keyword_of(one) for one in value.split(",") if one != "all"}
        elif name == "fuzzymatching":
            if value == "true":
                notices.append(
                    "The fuzzymatching parameter is not supported. Only literal matching has been performed."
                )
        elif value not in ("", "*"):
            matches.append(Match(keyword_of(name), value[:1000] if name not in UIDS else value))
    return Query(
        tuple(matches), None if everything else frozenset(include), offset, min(limit, MAX_LIMIT), tuple(notices)
    )


def keyword_of(name: str) -> str:
    """The keyword of an attribute, which is named by it or by eight hexadecimal digits. Raises InvalidParameter."""
    from pydicom.datadict import keyword_for_tag, tag_for_keyword

    if tag_for_keyword(name) is not None:
        return name
    keyword = keyword_for_tag(int(name, 16)) if TAG.fullmatch(name) else ""
    if not keyword:
        raise InvalidParameter(name[:80], name[:80], "an attribute of DICOM by its keyword or its tag")
    return keyword


def values_of(value: str) -> list[str]:
    """A list of UIDs."""
    return re.split(r"[,\\]", value)[:MAX_VALUES]


def matches_all(found: Dataset, conditions: Iterable[Match]) -> bool:
    """Whether a data set has what is asked; an attribute that it does not have, or has empty, matches nothing."""
    return all(_matches(found, match) for match in conditions)


def _matches(found: Dataset, match: Match) -> bool:
    if match.keyword == "ModalitiesInStudy":
        return "SM" in values_of(match.value)
    if match.keyword not in found:
        return False
    element = found[match.keyword]
    many = element.value if element.VM > 1 else [element.value]
    return any(_is_like(element.VR, str(one), match.value) for one in many if str(one))


def _is_like(kind: str, found: str, wanted: str) -> bool:
    if kind == "UI":
        return found in values_of(wanted)
    if kind in RANGES and "-" in wanted:
        first, _, last = wanted.partition("-")
        return (not first or found >= first) and (not last or found[: len(last)] <= last)
    if kind in NUMBERS:
        try:
            return float(found) == float(wanted)
        except ValueError:
            return False
    return re.fullmatch(translate(wanted.replace("[", "[[]")), found, re.IGNORECASE) is not None


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= LONGEST):
        raise InvalidParameter(name, value[:80], "a number from 0")
    return int(value)

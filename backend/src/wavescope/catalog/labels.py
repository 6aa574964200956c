"""What slides are found by: words, and labels with counts.

A label is ``(name, value)``. Names: ``vendor``, ``format``, ``objective``, ``planes`` and ``profile`` come from the
manifest, ``focus`` and ``covered`` from the findings of its scan (QM12), ``tag.KEY`` from the slide's tags, ``case``
(its values are ids of cases) from the cases the slide belongs to, ``within`` from those and all that they lie in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, event, func, inspect, literal, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.nesting import with_all_below
from wavescope.catalog.records import Facet, FacetValue
from wavescope.catalog.scale import Calibration, objective_label
from wavescope.catalog.tables import CaseRow, CaseSlideRow, LabelRow, SlideRow
from wavescope.catalog.visible import ALL, LABELS, SLIDES, SlideColumns, Visible
from wavescope.catalog.words import index_words, with_words
from wavescope.errors import InvalidParameter
from wavescope.quality_maps.findings import Findings

TAG_KEY = re.compile(r"[^\W_][\w .-]{0,39}")
TAG_VALUE = 100  # characters
TAGS = 32  # of one slide
UNSEARCHED = ("objective", "planes", "focus", "covered")  # labels whose values are no words of a search
VALUES = 100  # of one facet that are returned
COPIED = ("owner", "public", "trashed")  # columns of SlideRow that LabelRow has too
CASE, WITHIN = "case", "within"
ORDER = (CASE, "focus", "covered", "vendor", "format", "objective", "planes", "profile")


def merged_tags(tags: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """The tags with the changes made; None removes one. Raises InvalidParameter."""
    merged = dict(tags)
    for key, value in changes.items():
        if not TAG_KEY.fullmatch(key):
            raise InvalidParameter("tags", key, "a name of 1 to 40 letters, digits, spaces, '.', '_' and '-'")
        if value is None:
            merged.pop(key, None)
        elif 1 <= len(value := value.strip()) <= TAG_VALUE and value.isprintable():
            merged[key] = value
        else:
            raise InvalidParameter(f"tags.{key}", value, f"1 to {TAG_VALUE} printable characters")
    if len(merged) > TAGS:
        raise InvalidParameter("tags", len(merged), f"at most {TAGS} tags")
    return dict(sorted(merged.items()))


def labels_of(
    manifest: Mapping[str, Any],
    tags: Mapping[str, str],
    calibration: Calibration | None = None,
    findings: Findings | None = None,
) -> dict[str, str]:
    """Name -> value of everything that this slide can be found by, cases apart."""
    found = {
        "vendor": manifest.get("vendor"),
        "format": (manifest.get("source") or {}).get("format"),
        "objective": objective_label(manifest, calibration),
        "planes": manifest.get("planes"),
        "profile": manifest.get("profile"),
        "focus": findings and findings.focus,
        "covered": findings and findings.covered,
        **{f"tag.{key}": value for key, value in tags.items()},
    }
    return {name: str(value)[:200] for name, value in found.items() if value is not None}


def relabel(session: Session, row: SlideRow) -> None:
    """Makes the derived labels and search words agree with the slide's row."""
    labels = labels_of(row.manifest, row.tags, Calibration.from_json(row.calibration), Findings.from_json(row.findings))
    texts = searched(row, labels)
    row.search = " ".join(texts).casefold()
    index_words(session, row.id, "slide", texts)
    session.execute(delete(LabelRow).where(LabelRow.slide_id == row.id))
    copied = {name: getattr(row, name) for name in COPIED}
    session.add_all(LabelRow(slide_id=row.id, name=name, value=value, **copied) for name, value in labels.items())


@event.listens_for(SlideRow, "after_update")
def _copy(_mapper: Any, connection: Connection, row: SlideRow) -> None:
    """The columns of a slide that its labels have too, wherever they are changed."""
    if any(inspect(row).attrs[name].history.has_changes() for name in COPIED):
        copied = {name: getattr(row, name) for name in COPIED}
        connection.execute(update(LabelRow).where(LabelRow.slide_id == row.id).values(copied))


def searched(row: SlideRow, labels: Mapping[str, str]) -> list[str]:
    """The texts of a slide's row that a search finds."""
    return [row.id, row.title, *(labels[name] for name in labels if name not in UNSEARCHED)]


def matching(
    search: str, where: Sequence[tuple[str, str]], visible: Visible = ALL, of: SlideColumns = SLIDES
) -> list[ColumnElement[bool]]:
    """Conditions on rows of slides: seen, not in the trash, with every word, and for each name in ``where`` one of its
    values.
    """
    wanted: dict[str, list[str]] = {}
    for name, value in where:
        wanted.setdefault(name, []).append(value)
    narrowed = [*with_words(search), *(_labelled(name, values, visible) for name, values in wanted.items())]
    return [visible.slides(of), of.trashed.is_(None), *(of.id.in_(one) for one in narrowed)]


def _labelled(name: str, values: Sequence[str], visible: Visible) -> Select[str]:
    if name in (CASE, WITHIN):
        seen = (CaseRow.id.in_(values), visible.cases)
        cases = select(CaseRow.id).where(*seen)
        if name == WITHIN:
            cases = select(CaseRow.id).where(CaseRow.id.in_(with_all_below(*seen)), visible.cases)
        return select(CaseSlideRow.slide_id).where(CaseSlideRow.case_id.in_(cases))
    return select(LabelRow.slide_id).where(LabelRow.name == name, LabelRow.value.in_(values))


def count_facets(
    session: Session, search: str, where: Sequence[tuple[str, str]], visible: Visible = ALL
) -> tuple[Facet, ...]:
    """For each kind of label how many slides carry each value, were it chosen beside all choices of other kinds;
    only what is seen counts.
    """
    found: dict[str, list[FacetValue]] = {}
    chosen = {name for name, _ in where}
    for own in sorted((chosen | {"", CASE}) - {WITHIN}):
        others = [pair for pair in where if pair[0] != own]
        conditions = matching(search, others, visible, SLIDES if own == CASE else LABELS)
        for name, value, title, count in session.execute(_counts(own, chosen, conditions, visible)):
            found.setdefault(name, []).append(FacetValue(value, title, count))
    order = {name: place for place, name in enumerate(ORDER)}
    names = sorted(found, key=lambda name: (order.get(name, len(ORDER)), name))
    return tuple(Facet(name, tuple(_most_frequent(found[name]))) for name in names)


def _counts(
    own: str, chosen: set[str], conditions: Sequence[ColumnElement[bool]], visible: Visible
) -> Select[str, str, str, int]:
    """(name, value, title, count) of one kind of label; ``own`` empty: of all kinds without a choice."""
    if own == CASE:
        cases = select(literal(CASE), CaseRow.id, CaseRow.title, func.count())
        joined = cases.join(CaseSlideRow, CaseSlideRow.case_id == CaseRow.id)
        joined = joined.join(SlideRow, SlideRow.id == CaseSlideRow.slide_id).where(visible.cases, *conditions)
        return joined.group_by(CaseRow.id, CaseRow.title)
    named = LabelRow.name == own if own else LabelRow.name.not_in(chosen)
    labels = select(LabelRow.name, LabelRow.value, LabelRow.value, func.count())
    return labels.where(named, *conditions).group_by(LabelRow.name, LabelRow.value)


def _most_frequent(values: list[FacetValue]) -> list[FacetValue]:
    return sorted(values, key=lambda one: (-one.count, one.title))[:VALUES]

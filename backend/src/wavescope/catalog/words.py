"""The words that slides are found by (WI6): an index of their own, the same on every database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Select, delete, func, insert, select
from sqlalchemy.orm import Session

from wavescope.catalog.tables import TourRow, WordRow

WORD = re.compile(r"[^\W_]+")
LONGEST = 64  # characters of a word; what is longer is found by these
LAST = "\U0010ffff"  # behind every character of a word
WORDS = 5000  # of one part of a slide: those that come first
NOTES = "notes"
PER_STATEMENT = 500  # words in one SQL statement


def words_of(texts: Iterable[str]) -> list[str]:
    """The words of texts, each once, in order, casefolded."""
    found = (word[:LONGEST] for text in texts for word in WORD.findall(text.casefold()))
    return list(dict.fromkeys(found))


def index_words(session: Session, slide_id: str, part: str, texts: Iterable[str]) -> None:
    """Makes the words of a part of the slide those of the texts."""
    session.execute(delete(WordRow).where(WordRow.slide_id == slide_id, WordRow.part == part))
    rows = [{"slide_id": slide_id, "part": part, "word": word} for word in words_of(texts)[:WORDS]]
    if rows:
        session.execute(insert(WordRow), rows)


def index_tours(session: Session, slide_id: str) -> None:
    """Makes the words of the slide's own tours those of their titles and texts."""
    documents = session.scalars(select(TourRow.document).where(TourRow.slide_id == slide_id).order_by(TourRow.id))
    index_words(session, slide_id, "tours", (text for document in documents for text in tour_texts(document)))


def count_notes(session: Session, slide_id: str, changes: Mapping[str, int]) -> None:
    """In how many more annotations (less: negative) each word is. The slide's annotations are locked."""
    words = [word for word, change in changes.items() if change]
    stored: dict[str, WordRow] = {}
    of_notes = (WordRow.slide_id == slide_id, WordRow.part == NOTES)
    for begin in range(0, len(words), PER_STATEMENT):
        some = WordRow.word.in_(words[begin : begin + PER_STATEMENT])
        stored |= {row.word: row for row in session.scalars(select(WordRow).where(*of_notes, some))}
    for word, row in stored.items():
        row.uses += changes[word]
        if row.uses <= 0:
            session.delete(row)
    new = [word for word in words if word not in stored and changes[word] > 0]
    if new:
        free = WORDS - (session.scalar(select(func.count()).select_from(WordRow).where(*of_notes)) or 0)
        rows = [{"slide_id": slide_id, "part": NOTES, "word": word, "uses": changes[word]} for word in new[:free]]
        if rows:
            session.execute(insert(WordRow), rows)


def note_words(content: str) -> list[str]:
    """The words of an annotation's stored content, each once; empty: it is deleted."""
    if not content:
        return []
    members = json.loads(content)
    return words_of(members.get(name, "") for name in ("name", "text", "class"))


def tour_texts(document: Mapping[str, Any]) -> list[str]:
    """What a user reads of a tour (TO1): titles, texts, words of marks."""
    steps = document.get("waypoints", ())
    parts = [document, *steps, *(mark for step in steps for mark in step.get("marks", ()))]
    return [str(part.get(name) or "") for part in parts for name in ("title", "text")]


def with_words(search: str) -> list[Select[str]]:
    """For each word of the search the ids of slides that a word of begins so; signs alone find nothing."""
    words = words_of([search])
    if not words and search.strip():
        words = [search.strip()]
    return [select(WordRow.slide_id).where(WordRow.word >= word, WordRow.word < word + LAST) for word in words]

"""The words that slides are found by, as an index of their own; labels that are counted by an index alone."""

import json
import re
from collections import Counter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

WORD = re.compile(r"[^\W_]+")


def upgrade() -> None:
    text = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
    words = op.create_table(
        "words",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("part", sa.String(8), primary_key=True),
        sa.Column("word", text, primary_key=True),
        sa.Column("uses", sa.Integer, nullable=False, server_default="1"),
    )
    connection = op.get_bind()
    for slide_id, search in connection.execute(sa.text("SELECT id, search FROM slides")).all():
        _add(connection, words, slide_id, "slide", [search])
    tours: dict[str, list[str]] = {}
    for slide_id, document in connection.execute(sa.text("SELECT slide_id, document FROM tours ORDER BY id")).all():
        if slide_id is not None:
            tours.setdefault(slide_id, []).extend(_texts(document))
    for slide_id, texts in tours.items():
        _add(connection, words, slide_id, "tours", texts)
    for slide_id in connection.scalars(sa.text("SELECT slide_id FROM annotation_slides ORDER BY slide_id")).all():
        _add_notes(connection, words, slide_id)
    op.create_index("ix_words_word", "words", ["word", "slide_id"])
    op.add_column("labels", sa.Column("owner", sa.String(32), nullable=False, server_default=""))
    op.add_column("labels", sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("labels", sa.Column("trashed", sa.Float))
    slide = "FROM slides WHERE slides.id = labels.slide_id"
    copied = ", ".join(f"{name} = (SELECT {name} {slide})" for name in ("owner", "public", "trashed"))
    connection.execute(sa.text(f"UPDATE labels SET {copied} WHERE EXISTS (SELECT 1 {slide})"))
    op.create_index("ix_labels_counted", "labels", ["name", "value", "trashed", "owner", "public", "slide_id"])
    op.create_index("ix_slides_listed", "slides", ["trashed", "created", "id", "owner", "public"])


def downgrade() -> None:
    op.drop_index("ix_slides_listed", "slides")
    op.drop_index("ix_labels_counted", "labels")
    for column in ("owner", "public", "trashed"):
        op.drop_column("labels", column)
    op.drop_table("words")


def _add(connection: sa.Connection, words: sa.Table, slide_id: str, part: str, texts: list[str]) -> None:
    """As the catalog found words when this was written."""
    found = dict.fromkeys(word[:64] for text in texts for word in WORD.findall(text.casefold()))
    rows = [{"slide_id": slide_id, "part": part, "word": word} for word in list(found)[:5000]]
    if rows:
        connection.execute(sa.insert(words), rows)


def _add_notes(connection: sa.Connection, words: sa.Table, slide_id: str) -> None:
    contents = sa.text("SELECT content FROM annotations WHERE slide_id = :slide_id AND content <> '' ORDER BY id")
    uses: Counter[str] = Counter()
    for content in connection.execute(contents, {"slide_id": slide_id}).scalars():
        texts = (json.loads(content).get(member, "") for member in ("name", "text", "class"))
        uses.update({word[:64] for text in texts for word in WORD.findall(text.casefold())})
    rows = [
        {"slide_id": slide_id, "part": "notes", "word": word, "uses": number}
        for word, number in list(uses.items())[:5000]
    ]
    if rows:
        connection.execute(sa.insert(words), rows)


def _texts(stored: Any) -> list[str]:
    document = json.loads(stored) if isinstance(stored, str) else stored
    steps = document.get("waypoints", [])
    parts = [document, *steps, *(mark for step in steps for mark in step.get("marks", []))]
    return [str(part.get(name) or "") for part in parts for name in ("title", "text")]

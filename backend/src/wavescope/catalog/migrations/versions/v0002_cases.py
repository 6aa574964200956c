"""Trash, tags, labels to search by, cases, guided tours."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("slides", sa.Column("tags", sa.JSON, nullable=False, server_default="{}"))
    op.add_column("slides", sa.Column("trashed", sa.Float))
    op.create_index("ix_slides_trashed", "slides", ["trashed"])
    labels = op.create_table(
        "labels",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
    )
    op.create_index("ix_labels_name_value", "labels", ["name", "value"])
    op.create_table(
        "cases",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_table(
        "case_slides",
        sa.Column("case_id", sa.String(32), primary_key=True),
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
    )
    op.create_index("ix_case_slides_slide_id", "case_slides", ["slide_id"])
    op.create_table(
        "tours",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("slide_id", sa.String(128)),
        sa.Column("case_id", sa.String(32)),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_index("ix_tours_slide_id", "tours", ["slide_id"])
    op.create_index("ix_tours_case_id", "tours", ["case_id"])
    _label_what_is_there(labels)


def _label_what_is_there(labels: sa.Table) -> None:
    """Gives the slides of before the labels that publishing gives the later ones."""
    slides = sa.table("slides", sa.column("id", sa.String), sa.column("manifest", sa.JSON))
    connection = op.get_bind()
    for slide_id, manifest in connection.execute(sa.select(slides.c.id, slides.c.manifest)).all():
        power = manifest.get("objective_power")
        found = {
            "vendor": manifest.get("vendor"),
            "format": (manifest.get("source") or {}).get("format"),
            "objective": f"{power:g}x" if power else None,
            "planes": manifest.get("planes"),
            "profile": manifest.get("profile"),
        }
        known = {name: str(value)[:200] for name, value in found.items() if value}
        rows = [{"slide_id": slide_id, "name": name, "value": value} for name, value in known.items()]
        if rows:
            connection.execute(labels.insert(), rows)


def downgrade() -> None:
    for table in ("tours", "case_slides", "cases", "labels"):
        op.drop_table(table)
    op.drop_index("ix_slides_trashed", "slides")
    with op.batch_alter_table("slides") as slides:
        slides.drop_column("trashed")
        slides.drop_column("tags")

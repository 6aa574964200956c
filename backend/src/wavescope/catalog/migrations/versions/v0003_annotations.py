"""Annotations, their counters and classes."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "annotation_slides",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("objects", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "annotations",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("z", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Float, nullable=False) for name in ("min_x", "min_y", "max_x", "max_y")),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_index("ix_annotations_sequence", "annotations", ["slide_id", "sequence"])
    op.create_table(
        "annotation_classes",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("color", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for table in ("annotation_classes", "annotations", "annotation_slides"):
        op.drop_table(table)

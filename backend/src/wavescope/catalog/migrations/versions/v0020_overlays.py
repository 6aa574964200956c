"""Overlays of slides (OV23)."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "overlays",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("slide_id", sa.String(128), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("manifest", sa.JSON, nullable=False),
        sa.Column("transform", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("removed", sa.Float),
    )
    for name in ("slide_id", "sha256", "removed"):
        op.create_index(f"ix_overlays_{name}", "overlays", [name])


def downgrade() -> None:
    op.drop_table("overlays")

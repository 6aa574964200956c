"""Registrations of slide versions (RE6)."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "registrations",
        sa.Column("left", sa.String(64), primary_key=True),
        sa.Column("right", sa.String(64), primary_key=True),
        sa.Column("made_by", sa.Integer, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
    )
    op.create_index("ix_registrations_right", "registrations", ["right"])


def downgrade() -> None:
    op.drop_table("registrations")

"""The tour that a live session shows (SE8); who changed an annotation last, beside its author (AN2)."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("tour", sa.String(32)))
    op.add_column("annotations", sa.Column("editor", sa.Text, server_default="", nullable=False))
    op.execute("UPDATE annotations SET editor = author")


def downgrade() -> None:
    op.drop_column("annotations", "editor")
    op.drop_column("sessions", "tour")

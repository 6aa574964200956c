"""The tour that a live session shows (SE8)."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("tour", sa.String(32)))


def downgrade() -> None:
    op.drop_column("sessions", "tour")

"""Saved mixes of channels (CM9)."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("slides", sa.Column("mixes", sa.JSON))


def downgrade() -> None:
    op.drop_column("slides", "mixes")

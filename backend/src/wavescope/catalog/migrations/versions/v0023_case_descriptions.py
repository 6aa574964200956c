"""Descriptions of cases (WI40)."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("cases", sa.Column("description", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("cases", "description")

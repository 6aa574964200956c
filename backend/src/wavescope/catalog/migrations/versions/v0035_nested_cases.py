"""Collections lie in collections (WI41)."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("cases", sa.Column("parent", sa.String(32), nullable=False, server_default=""))
    op.create_index("ix_cases_parent", "cases", ["parent"])


def downgrade() -> None:
    op.drop_index("ix_cases_parent", "cases")
    op.drop_column("cases", "parent")

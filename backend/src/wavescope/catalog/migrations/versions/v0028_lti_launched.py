"""When a learning platform has last launched (LT1)."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("platforms", sa.Column("launched", sa.Float))


def downgrade() -> None:
    op.drop_column("platforms", "launched")

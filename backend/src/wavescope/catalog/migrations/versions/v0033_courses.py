"""Which group is a course of a learning platform (LT13), and where its people may be read (LT30)."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("groups", sa.Column("course", sa.String(64)))
    op.create_index("ix_groups_course", "groups", ["course"], unique=True)
    op.add_column("launches", sa.Column("memberships", sa.Text))


def downgrade() -> None:
    op.drop_column("launches", "memberships")
    op.drop_index("ix_groups_course", "groups")
    op.drop_column("groups", "course")

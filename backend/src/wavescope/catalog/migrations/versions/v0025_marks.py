"""What a person gave for an answer (QZ25)."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("answers", sa.Column("share", sa.Float))
    op.add_column("answers", sa.Column("comment", sa.Text))


def downgrade() -> None:
    for column in ("share", "comment"):
        op.drop_column("answers", column)

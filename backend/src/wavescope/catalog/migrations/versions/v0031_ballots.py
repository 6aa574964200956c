"""Answers to the polls of live sessions (SE55)."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session_ballots",
        sa.Column("session_id", sa.String(32), primary_key=True),
        sa.Column("item", sa.String(32), primary_key=True),
        sa.Column("member", sa.String(16), primary_key=True),
        sa.Column("answer", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("session_ballots")

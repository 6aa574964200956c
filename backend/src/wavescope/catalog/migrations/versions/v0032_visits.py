"""When members of live sessions were present (SE59)."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session_visits",
        sa.Column("session_id", sa.String(32), primary_key=True),
        sa.Column("member", sa.String(16), primary_key=True),
        sa.Column("began", sa.BigInteger, primary_key=True),
        sa.Column("ended", sa.BigInteger),
    )


def downgrade() -> None:
    op.drop_table("session_visits")

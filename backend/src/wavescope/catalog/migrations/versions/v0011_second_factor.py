"""Second factors: TOTP secrets and recovery codes (AC53)."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "second_factors",
        sa.Column("user_id", sa.String(32), primary_key=True),
        sa.Column("secret", sa.Text),
        sa.Column("pending", sa.Text),
        sa.Column("last_step", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.Float),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(32), nullable=False),
    )
    op.create_index("ix_recovery_codes_user_id", "recovery_codes", ["user_id"])


def downgrade() -> None:
    op.drop_table("recovery_codes")
    op.drop_table("second_factors")

"""Original files of slides (ST92)."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "originals",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("files", sa.Integer, nullable=False),
        sa.Column("retired", sa.Float),
    )
    op.create_index("ix_originals_sha256", "originals", ["sha256"])
    op.create_index("ix_originals_retired", "originals", ["retired"])


def downgrade() -> None:
    op.drop_table("originals")

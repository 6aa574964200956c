"""Which node runs an ingest job, and since when it was silent (CL40)."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

COLUMNS = ("node", "beat", "lease", "attempts", "change", "wish", "rate")


def upgrade() -> None:
    op.add_column("jobs", sa.Column("node", sa.String(128)))
    op.add_column("jobs", sa.Column("beat", sa.Float))
    op.add_column("jobs", sa.Column("lease", sa.BigInteger, server_default="0", nullable=False))
    op.add_column("jobs", sa.Column("attempts", sa.Integer, server_default="0", nullable=False))
    op.add_column("jobs", sa.Column("change", sa.BigInteger, server_default="0", nullable=False))
    op.add_column("jobs", sa.Column("wish", sa.String(16)))
    op.add_column("jobs", sa.Column("rate", sa.Float))


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("jobs", name)

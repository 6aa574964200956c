"""Nodes of a cluster, and which of them owns which live session (CL3, CL20)."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nodes",
        sa.Column("name", sa.String(128), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("instance", sa.String(32), nullable=False, unique=True),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("backend", sa.Integer, nullable=False),
    )
    op.create_table(
        "session_leases",
        sa.Column("session_id", sa.String(32), primary_key=True),
        sa.Column("node", sa.String(128), nullable=False),
        sa.Column("instance", sa.String(32), nullable=False),
        sa.Column("term", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_session_leases_instance", "session_leases", ["instance"])


def downgrade() -> None:
    op.drop_table("session_leases")
    op.drop_table("nodes")

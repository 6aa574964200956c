"""What users saw of slides (CV8)."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "coverage",
        sa.Column("user_id", sa.String(32), primary_key=True),
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("seen", sa.JSON, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("ix_coverage_slide_id", "coverage", ["slide_id"])


def downgrade() -> None:
    op.drop_table("coverage")

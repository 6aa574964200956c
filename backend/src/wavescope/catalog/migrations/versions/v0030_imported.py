"""The document that added an annotation (AN20)."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("annotations", sa.Column("imported", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("annotations", "imported")

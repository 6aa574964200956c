"""What the user should know of the files of an ingest job."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("notices", sa.JSON))


def downgrade() -> None:
    op.drop_column("jobs", "notices")

"""Scales entered by people; slides without a stated objective are found by what their pixels are equivalent to."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TURRET = (1.25, 2.5, 5.0, 10.0, 20.0, 40.0, 63.0, 100.0)


def upgrade() -> None:
    op.add_column("slides", sa.Column("calibration", sa.JSON))
    connection = op.get_bind()
    labels = sa.table("labels", sa.column("slide_id"), sa.column("name"), sa.column("value"))
    unlabelled = (
        "SELECT id, manifest FROM slides WHERE id NOT IN (SELECT slide_id FROM labels WHERE name = 'objective')"
    )
    rows = connection.execute(sa.text(unlabelled)).all()
    for slide_id, stored in rows:
        manifest = json.loads(stored) if isinstance(stored, str) else stored
        if not manifest.get("objective_power"):
            label = {"slide_id": slide_id, "name": "objective", "value": _label(manifest.get("mpp"))}
            connection.execute(sa.insert(labels).values(**label))


def downgrade() -> None:
    op.drop_column("slides", "calibration")
    op.execute("DELETE FROM labels WHERE name = 'objective' AND (value = 'no scale' OR value LIKE '%equivalent')")


def _label(mpp: dict[str, float] | None) -> str:
    """As the catalog labelled slides when this was written."""
    if mpp is None:
        return "no scale"
    equivalent = 10.0 / mpp["x"]
    nominal = (one for one in TURRET if abs(one / equivalent - 1) < 0.03)
    return f"{next(nominal, equivalent):.2g}x equivalent"

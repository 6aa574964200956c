"""Slides are found by the objective that is nearest to what they state or are equivalent to."""

import json
import math
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

OBJECTIVES = (1.25, 2.5, 4.0, 5.0, 10.0, 20.0, 40.0, 60.0, 63.0, 100.0)
TURRET = (1.25, 2.5, 5.0, 10.0, 20.0, 40.0, 63.0, 100.0)


def upgrade() -> None:
    connection = op.get_bind()
    labels = sa.table("labels", sa.column("slide_id"), sa.column("name"), sa.column("value"))
    for slide_id, stored, entered in connection.execute(sa.text("SELECT id, manifest, calibration FROM slides")).all():
        of_slide = sa.and_(labels.c.slide_id == slide_id, labels.c.name == "objective")
        value = _label(_json(stored), _json(entered))
        connection.execute(sa.update(labels).where(of_slide).values(value=value))


def downgrade() -> None:
    """The finer values are made again when a slide changes."""


def _json(stored: Any) -> dict[str, Any]:
    return (json.loads(stored) if isinstance(stored, str) else stored) or {}


def _label(manifest: dict[str, Any], calibration: dict[str, Any]) -> str:
    """As the catalog labelled slides when this was written."""
    power, mpp = manifest.get("objective_power"), manifest.get("mpp")
    size = mpp["x"] if mpp else calibration.get("um_per_pixel")
    if power:
        return f"{_nearest(power, OBJECTIVES):g}x"
    return "no scale" if size is None else f"{_nearest(10.0 / size, TURRET):g}x equivalent"


def _nearest(magnification: float, steps: tuple[float, ...]) -> float:
    return min(steps, key=lambda step: abs(math.log(step / magnification)))

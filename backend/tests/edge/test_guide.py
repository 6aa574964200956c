"""The guide of the edge: its settings, its unit and its table of metrics are valid."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from wavescope.api.metrics.families import reference
from wavescope.cli.operation import edge_options
from wavescope.config import Config
from wavescope.edge.metrics import FAMILIES

SHIPPED = Path(__file__).parents[3] / "shared" / "operations"
GUIDE = (SHIPPED / "edge.md").read_text()
OPTIONS = (Path(edge_options.__file__)).read_text()
SETTINGS = [block for block in re.findall(r"\n((?: {4}.*\n)+)", GUIDE) if " = " in block]


def test_the_table_of_metrics_is_generated_op61_ed30() -> None:
    assert reference(FAMILIES) in GUIDE


@pytest.mark.parametrize("block", SETTINGS)
def test_the_settings_of_the_guide_are_valid_op31(block: str, tmp_path: Path) -> None:
    path = tmp_path / "wavescope.toml"
    path.write_text(re.sub(r"^ {4}", "", block, flags=re.MULTILINE))
    config = Config.from_env({}, config=path)
    for name, value in tomllib.loads(path.read_text()).items():
        found = getattr(config, name)
        assert (list(found) if isinstance(found, tuple) else str(found) if isinstance(found, Path) else found) == value


def test_the_guide_has_the_settings_of_both_sides_op31() -> None:
    assert len(SETTINGS) == 3  # the origin, the edge, several origins
    for option in re.findall(r"`(--\w+)`", GUIDE):
        assert f'"{option}"' in OPTIONS
    for name in re.findall(r"`(edge_\w+)`", GUIDE):
        assert hasattr(Config(), name)
    unit = (SHIPPED / "wavescope-edge.service").read_text()
    assert "wavescope edge\n" in unit
    assert "CacheDirectory=wavescope-edge\n" in unit

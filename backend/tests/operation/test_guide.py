"""The operations guide: its commands run, its units and its proxy's configuration are valid (OP31)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "shared" / "operations"
COMMAND = re.compile(r"^ +\$ (.+)$", re.MULTILINE)


def test_every_command_of_the_guide_runs_in_order_op31(tmp_path: Path) -> None:
    """The first ``doctor`` finds no admin, as the guide says; all other commands succeed."""
    for name in ("srv", "backups", "bin"):
        (tmp_path / name).mkdir(mode=0o700)
    wavescope = tmp_path / "bin" / "wavescope"
    wavescope.write_text(f'#!/bin/sh\nexec {sys.executable} -m wavescope.cli "$@"\n')
    wavescope.chmod(0o700)
    settings = tmp_path / "wavescope.toml"
    settings.write_text((SHIPPED / "wavescope.toml").read_text().replace("/srv/wavescope", str(tmp_path / "srv")))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WAVESCOPE_")}
    environment |= {"PATH": f"{wavescope.parent}:{os.environ['PATH']}", "WAVESCOPE_CONFIG": str(settings)}
    environment["COMMAND"] = str(wavescope)
    commands = COMMAND.findall((SHIPPED / "README.md").read_text())
    assert len(commands) >= 10
    codes = {}
    for number, command in enumerate(commands):
        moved = command.replace("/var/backups/wavescope", str(tmp_path / "backups")).replace(
            "/opt/wavescope", str(ROOT)
        )
        done = subprocess.run(
            moved, shell=True, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        codes[number, command] = done.returncode
        output = done.stdout + done.stderr
        if number == commands.index("wavescope doctor"):
            assert (done.returncode, "FAULT access" in output) == (1, True), output
        else:
            assert done.returncode == 0, f"{command}: {output}"
    assert sum(code != 0 for code in codes.values()) == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_units_are_valid_op31(tmp_path: Path) -> None:
    units = []
    for path in SHIPPED.glob("wavescope*.*"):
        if path.suffix not in (".service", ".timer"):
            continue
        text = path.read_text().replace("/opt/wavescope/.venv/bin/wavescope", "/bin/true")
        unit = tmp_path / path.name
        unit.write_text(text.replace("/opt/wavescope/shared/operations", str(SHIPPED)))
        units.append(str(unit))
    assert len(units) == 3
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "wavescope" in line]
    assert (done.returncode, complaints) == (0, [])


def test_the_shipped_settings_are_valid_op31() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wavescope.cli", "config", "--json", "--config", str(SHIPPED / "wavescope.toml")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

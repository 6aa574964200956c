"""The operations guide: its commands run, its units and its proxy's configuration are valid (OP31)."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from catalog.databases import PROGRAMS
from operation.guide import lines_of_the_guide
from operation.machine import Machine, machine
from wavescope.cli.app import _parser

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "shared" / "operations"
NEEDED = ("nginx", "haproxy", "caddy", "openssl", "createuser", "rsync", "age", "logrotate", "systemctl")


@contextmanager
def postgres_server(here: Machine) -> Iterator[None]:
    """PostgreSQL as Debian sets it up: it listens on its usual socket, and knows local accounts by their names."""
    programs, data = PROGRAMS[-1], "/var/lib/guide/data"
    made = here.run(
        f"install -d -o postgres /var/lib/guide && cd / && runuser -u postgres -- {programs}/initdb -D {data} "
        "--auth-local=peer --no-sync -E UTF8 && runuser -u postgres -- "
        f"{programs}/pg_ctl -D {data} -w -l {data}.log -o '-c listen_addresses= -c fsync=off -k /run/postgresql' start"
    )
    assert made.returncode == 0, made.stdout + made.stderr
    try:
        yield
    finally:
        here.run(f"runuser -u postgres -- {programs}/pg_ctl -D {data} -w -m immediate stop")


MOVE = "wavescope copy --identity --originals --overlays"
# Commands in the text of the guide that this test does not run -> where they are run, or why they cannot be
ELSEWHERE = {
    "npm run build": "npm test begins with its steps",
    "npm run package": "npm test -- --long",
    "npm run audit": "npm test runs it",
    "npm run bench service": "a measurement",
    "journalctl -u wavescope": "needs a running systemd",
    "systemd-analyze security wavescope": "needs a running systemd",
    "wavescope edge": "tests/edge",
    f"{MOVE} /srv/wavescope s3://slides/hospital": "tests/cli/test_object_store.py",
    f"{MOVE} s3://slides/hospital /srv/wavescope": "tests/cli/test_overlays.py",
    "wavescope ingest FILE --store s3://slides/hospital": "tests/cli/test_object_store.py",
    "wavescope presign SLIDE --seconds 3600": "tests/cli/test_object_store.py",
    "wavescope export SLIDE DIR": "tests/cli/test_export.py",
    "wavescope export SLIDE FILE.wsz": "tests/cli/test_export.py",
    "wavescope verify SLIDE": "tests/operation/test_walk.py",
    "wavescope backup FILE --pixels": "tests/service/test_backup.py, by its function",
    "wavescope plan": "tests/simulator/test_planner.py",
    "wavescope user export NAME FILE": "tests/cli/test_users.py",
    "wavescope audit verify": "a line of the guide",
}
INLINE = re.compile(r"`((?:npm|wavescope|systemctl|journalctl|systemd-analyze|rsync|age|nginx) [^`]+)`")
FAILS = {"wavescope doctor": "FAULT access"}  # the first time: there is no admin yet


@pytest.mark.slow
def test_every_command_of_the_guide_runs_as_written_in_order_op31(tmp_path: Path) -> None:
    """``systemctl`` works offline: it changes the links of units, and starts nothing."""
    lines = lines_of_the_guide()
    assert len(lines) >= 50
    missing = [one for one in NEEDED if shutil.which(one) is None] + ([] if PROGRAMS else ["postgresql"])
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    failing = dict(FAILS)
    with machine(tmp_path) as here, postgres_server(here):
        for sign, command in lines:
            done = here.run(command, "root" if sign == "#" else "wavescope")
            output = done.stdout + done.stderr
            fault = failing.pop(command, "")
            assert (done.returncode != 0, fault in output) == (bool(fault), True), f"{command}: {output}"
        doctor = here.run("wavescope doctor", "wavescope")
        assert "PostgreSQL" in doctor.stdout
        links = here.run("ls /etc/systemd/system/multi-user.target.wants /etc/systemd/system/timers.target.wants")
        assert {"wavescope.service", "wavescope-backup.timer"} <= set(links.stdout.split())
        modes = here.run(
            "stat -c '%U %G %a' /etc/wavescope/wavescope.toml /srv/wavescope /var/backups/wavescope/*.zip*"
        )
        assert set(modes.stdout.splitlines()) == {
            "root wavescope 640",
            "wavescope wavescope 750",
            "wavescope wavescope 600",
        }
    assert "wavescope:" not in Path("/etc/passwd").read_text()  # nothing of it stayed


def test_the_rotation_of_logs_leaves_the_file_open_op31(tmp_path: Path) -> None:
    """What the service writes after a rotation arrives in the new, empty file."""
    if shutil.which("logrotate") is None or os.getuid() != 0:
        pytest.skip("needs logrotate, and root for its state")
    log = tmp_path / "service.log"
    text = (SHIPPED / "logrotate.conf").read_text().replace("/var/log/wavescope", str(tmp_path))
    (tmp_path / "conf").write_text(text.replace("su root adm", "su root root"))
    tmp_path.chmod(0o700)
    with log.open("ab", buffering=0) as service:
        service.write(b"before\n" * 1000)
        rotate = ["logrotate", "--force", "--state", str(tmp_path / "state"), str(tmp_path / "conf")]
        subprocess.run(rotate, check=True, capture_output=True, timeout=60)
        service.write(b"after\n")
    assert log.read_bytes() == b"after\n"
    assert (tmp_path / "service.log.1").read_bytes() == b"before\n" * 1000


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
    assert len(units) == 4
    overrides = tmp_path / "wavescope.service.d"
    overrides.mkdir()
    shutil.copy(SHIPPED / "log-file.conf", overrides)
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


def test_the_commands_in_the_text_of_the_guide_are_run_somewhere_op31() -> None:
    assert set(INLINE.findall((SHIPPED / "README.md").read_text())) == set(ELSEWHERE)


@pytest.mark.parametrize("page", ["cluster.md", "policies.md"])
def test_every_command_of_the_pages_on_clusters_is_one_of_the_program_op31(page: str) -> None:
    named = re.findall(r"(?:`|^    )wavescope (cluster [^`\n]+)", (SHIPPED / page).read_text(), re.MULTILINE)
    assert named
    for command in named:
        assert _parser(shlex.split(command)).parse_args(shlex.split(command)).run, command

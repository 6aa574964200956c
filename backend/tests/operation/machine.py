"""A machine on which the commands of the guide run as they are written: this one, with folders that vanish in the end.

A mount namespace has its own /etc, /var, /srv, /opt, /run and /usr/local; what commands write there is in memory only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LAYERED = ("etc", "var", "srv", "opt", "usr/local", "root")  # the last one: Python may be installed there
INSTALLED = "/opt/wavescope"
SETUP = """
set -eu
mount -t tmpfs -o size=64g tmpfs "$FOLDER"  # more than doctor wants free; memory is used for files only
for folder in $LAYERED; do
    layer="$FOLDER/$folder"
    mkdir -p "$layer/upper" "$layer/work"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$layer/upper,workdir=$layer/work" "/$folder"
done
chmod 755 /root
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /var/backups /opt/wavescope/.venv/bin /opt/wavescope/python /opt/wavescope/shared /opt/wavescope/backend
mount --bind "$ROOT/shared" /opt/wavescope/shared
mount --bind "$ROOT/backend" /opt/wavescope/backend
mount --bind "$PREFIX" /opt/wavescope/python
cat > /opt/wavescope/.venv/bin/wavescope <<'END'
#!/bin/sh
PYTHONPATH=/opt/wavescope/backend/src exec /opt/wavescope/python/bin/python -m wavescope.cli "$@"
END
chmod 755 /opt/wavescope/.venv/bin/wavescope
mkdir -p /run/postgresql
chown postgres: /run/postgresql
echo ready
exec cat
"""
SETTINGS = {"WAVESCOPE_CONFIG": "/etc/wavescope/wavescope.toml", "SYSTEMD_OFFLINE": "1"}


@dataclass(frozen=True)
class Machine:
    """Runs commands in the namespace of the process ``pid``."""

    pid: int

    def run(self, command: str, user: str = "root") -> subprocess.CompletedProcess[str]:
        """A line for a shell. ``systemctl`` changes files only: no systemd runs here."""
        shell = ["sh", "-c", command] if user == "root" else ["runuser", "-u", user, "--", "sh", "-c", command]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("WAVESCOPE_", "PYTHON"))
        }
        environment |= SETTINGS
        if user == "root":
            environment["HOME"] = "/root"
        return subprocess.run(
            ["nsenter", "--mount", "--target", str(self.pid), "--wdns=/", *shell],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """``folder``: an empty one. Skips where no namespace of mounts can be made."""
    if os.getuid() != 0 or shutil.which("nsenter") is None:
        pytest.skip("needs root, for a mount namespace")
    given: Mapping[str, str] = {
        **os.environ,
        "FOLDER": str(folder),
        "LAYERED": " ".join(LAYERED),
        "ROOT": str(ROOT),
        "PREFIX": sys.prefix,
    }
    child = subprocess.Popen(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", SETUP],
        env=given,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdin
    assert child.stdout
    assert child.stderr
    try:
        if child.stdout.readline() != "ready\n":
            pytest.skip(f"this machine allows no mount namespace: {child.stderr.read().strip()}")
        yield Machine(child.pid)
    finally:
        child.stdin.close()
        child.wait()
        child.stdout.close()
        child.stderr.close()

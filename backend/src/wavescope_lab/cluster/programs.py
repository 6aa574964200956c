"""The programs that a cluster consists of, and where they come from."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from wavescope_lab.errors import MissingProgram

TOOLS = Path.home() / ".cache" / "wavescope" / "tools"
VERSITYGW = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
POSTGRESQL = Path("/usr/lib/postgresql")  # Debian has its programs here, by version

SOURCES = {
    "initdb": "apt-get install postgresql",
    "postgres": "apt-get install postgresql",
    "haproxy": "apt-get install haproxy",
    "redis-server": "apt-get install redis-server",
    "prometheus": "apt-get install prometheus",
    "versitygw": f"GOBIN={TOOLS} go install {VERSITYGW}",
}
"""How each program is installed on Debian; a service of the system that a package starts is not used."""


def find_program(name: str) -> str:
    """The path of a program. Raises MissingProgram."""
    places = [os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"]
    places += [str(path) for path in sorted(POSTGRESQL.glob("*/bin"), reverse=True)]
    places.append(str(TOOLS))
    found = shutil.which(name, path=os.pathsep.join(places))
    if found is None:
        raise MissingProgram(name, SOURCES.get(name, ""))
    return found


def find_programs(names: Iterable[str]) -> dict[str, str]:
    """The path of each. Raises MissingProgram for the first one that is not installed."""
    return {name: find_program(name) for name in names}

"""The operations guide as a script: its lines and files with other ports, hosts and folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from operation.proxies import SHIPPED

ROOT = Path(__file__).parents[3]
COMMAND = re.compile(r"^    ([#$]) (.+)$", re.MULTILINE)
CATALOG = '# catalog = "postgresql+psycopg:///wavescope"'


def lines_of_the_guide(page: str = "README.md") -> list[tuple[str, str]]:
    """(``#`` or ``$``, command), in the order of the page."""
    return COMMAND.findall((SHIPPED / page).read_text())


def line_with(words: str) -> str:
    """The first command of the guide that begins with these words, else that contains them; fails if there is none."""
    found = [command for _, command in lines_of_the_guide() if words in command]
    assert found, f"the guide has no command with {words!r}"
    return next((command for command in found if command.startswith(words)), found[0])


@dataclass
class Site:
    """One installation in a folder of its own: settings, store, backups, and the port of its service."""

    folder: Path
    catalog: str
    port: int
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        return self.folder / "store"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    def install(self) -> None:
        """The folders, the program and the shipped settings."""
        for folder in (self.folder, self.store, self.backups):
            folder.mkdir(mode=0o750)
        program = self.folder / "wavescope"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m wavescope.cli "$@"\n')
        program.chmod(0o750)
        text = (SHIPPED / "wavescope.toml").read_text()
        for old, new in {
            CATALOG: f'catalog = "{self.catalog}"',
            "/srv/wavescope": str(self.store),
            "listen_port = 8000": f"listen_port = {self.port}",
            'low_bytes = "50 GiB"': 'low_bytes = "2 GiB"',
            'free_bytes = "5 GiB"': 'free_bytes = "1 GiB"',
        }.items():
            assert old in text, f"wavescope.toml has no {old}"
            text = text.replace(old, new)
        settings = self.folder / "wavescope.toml"
        settings.write_text(text)
        settings.chmod(0o640)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WAVESCOPE_")}
        self.environment = {
            **inherited,
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "WAVESCOPE_CONFIG": str(settings),
            "COMMAND": str(program),
        }

    def moved(self, command: str) -> str:
        """A command of the guide with the folders of this installation."""
        for old, new in {
            "/opt/wavescope/.venv/bin": self.folder,
            "/opt/wavescope": ROOT,
            "/srv/wavescope": self.store,
            "/var/backups/wavescope": self.backups,
        }.items():
            command = command.replace(old, str(new))
        return command

    def run(self, words: str) -> str:
        """Runs the command of the guide that contains ``words``; its output. Fails if the command does."""
        return self.execute(self.moved(line_with(words)))

    def run_inline(self, words: str, **names: str) -> str:
        """Runs a command in the text of the guide, ``names`` in it replaced; as ``run``."""
        assert f"`{words}`" in (SHIPPED / "README.md").read_text(), f"the guide has no {words!r}"
        for old, new in names.items():
            words = words.replace(old, new)
        return self.execute(words)

    def execute(self, command: str) -> str:
        """The output of a shell's line. Fails if the command does."""
        done = subprocess.run(
            command, shell=True, env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def start_command(self) -> list[str]:
        """What the shipped unit starts."""
        (command,) = re.findall(r"^ExecStart=(.+)$", (SHIPPED / "wavescope.service").read_text(), re.MULTILINE)
        return self.moved(command).split()

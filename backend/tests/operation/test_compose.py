"""The files of Docker: each variant is valid, and names only settings that exist."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from wavescope.config import Config
from wavescope.config.service import all_settings

ROOT = Path(__file__).parents[3]
BASE = ROOT / "docker-compose.yml"
VARIANTS = sorted((ROOT / "shared/operations/compose").glob("*.yml"))
SETTINGS = {setting.environment for setting in all_settings()} | {"WAVESCOPE_CONFIG"}
COMPOSE = shutil.which("docker-compose")
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


def services(document: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from document["services"].items()


def merged(files: tuple[Path, ...], **environment: str) -> Any:
    """What docker-compose makes of the files; it needs no engine for this."""
    named = [part for file in (BASE, *files) for part in ("-f", str(file))]
    command = [str(COMPOSE), *named, "config"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=ENVIRONMENT | environment, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return yaml.safe_load(done.stdout)


def test_there_are_the_variants() -> None:
    assert [path.stem for path in VARIANTS] == ["accounts", "hardened", "limits", "postgresql"]


@pytest.mark.parametrize("path", [BASE, *VARIANTS], ids=lambda path: path.stem)
def test_every_named_setting_exists(path: Path) -> None:
    text = path.read_text()
    assert set(re.findall(r"WAVESCOPE_\w+", text)) <= SETTINGS
    readme = (ROOT / "shared/operations/compose/README.md").read_text()
    assert set(re.findall(r"WAVESCOPE_\w+", readme)) <= SETTINGS
    for name in re.findall(r"\$\{(\w+)", text):
        assert f"`{name}`" in readme
    for _, service in services(yaml.safe_load(text)):
        for name, value in service.get("environment", {}).items():
            assert isinstance(value, str), f"{name} is not in quotes"


@pytest.mark.slow
@pytest.mark.skipif(COMPOSE is None, reason="docker-compose is not installed")
def test_all_variants_together_are_valid_and_configure_the_service() -> None:
    for files in ((), tuple(VARIANTS), *((path,) for path in VARIANTS)):
        service = merged(files)["services"]["wavescope"]
        given = {name: value for name, value in service["environment"].items() if name != "WAVESCOPE_CONFIG"}
        config = Config.from_env(given)
        accounts = any(path.stem == "accounts" for path in files)
        assert (config.access, config.open_to_all) == (("accounts", False) if accounts else ("local", True))
        assert all(port.startswith("127.0.0.1:") for port in map(str, service["ports"]))


@pytest.mark.slow
@pytest.mark.skipif(COMPOSE is None, reason="docker-compose is not installed")
def test_what_the_environment_says_reaches_the_service() -> None:
    given = {"WAVESCOPE_ALLOWED_HOSTS": "slides.example.org", "WAVESCOPE_SECOND_FACTOR": "admins"}
    document = merged(tuple(VARIANTS), **given, SECRETS_FOLDER="/secrets", CONTAINER_MEMORY="8g")
    service = document["services"]["wavescope"]
    config = Config.from_env({name: value for name, value in service["environment"].items() if "CONFIG" not in name})
    assert (config.allowed_hosts, config.second_factor) == (("slides.example.org",), "admins")
    assert {one["file"].rpartition("/")[0] for one in document["secrets"].values()} == {"/secrets"}
    assert service["mem_limit"] == "8g"


def test_in21_the_hardened_service_has_nothing_to_spare() -> None:
    found = yaml.safe_load((VARIANTS[0].parent / "hardened.yml").read_text())["services"]["wavescope"]
    assert found["read_only"] is True
    assert found["cap_drop"] == ["ALL"]
    assert found["security_opt"] == ["no-new-privileges:true"]
    assert found["user"] == "1000:1000"
    image = (ROOT / "backend/Dockerfile").read_text().rpartition("\nFROM ")[2]
    assert "useradd --create-home --uid 1000 wavescope" in image
    assert " ca-certificates " in image  # obstore needs some even for http


def test_in21_the_image_has_the_wheel_with_the_versions_of_the_lock_file() -> None:
    recipe = (ROOT / "backend/Dockerfile").read_text()
    pattern = re.search(r'"\$\(ls /wheels/(.+)\)\[all\]"', recipe)
    assert pattern is not None
    tags = ["macosx_11_0_arm64", "macosx_11_0_x86_64", "manylinux_2_28_aarch64", "manylinux_2_28_x86_64"]
    wheels = [f"wavescope-0.3.0-py3-none-{tag}.whl" for tag in tags]
    assert fnmatch.filter(wheels, pattern[1].replace("$(uname -m)", "x86_64")) == wheels[3:]
    assert fnmatch.filter(wheels, pattern[1].replace("$(uname -m)", "aarch64")) == wheels[2:3]
    command = re.search(r"sed -E '[^']+'", recipe)
    assert command is not None
    lock = ROOT / "backend/requirements.lock"
    made = subprocess.run(f"{command[0]} {lock}", shell=True, capture_output=True, text=True, check=True).stdout
    versions = [line for line in made.splitlines() if line and not line.startswith("#")]
    assert len(versions) == len(re.findall(r"^[A-Za-z0-9]", lock.read_text(), re.MULTILINE))
    assert [line for line in versions if not re.fullmatch(r"[A-Za-z0-9._-]+==[^\\\s]+( ;.*)?", line)] == []

"""The recipe of the conda package says what backend/pyproject.toml says (shared/spec/install.md, IN20)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
NAMES = {
    "matplotlib": "matplotlib-base",
    "opencv-python-headless": "py-opencv",
    "openslide-bin": "openslide",
    "ortools": "ortools-python",
    "prometheus-client": "prometheus_client",
    "redis": "redis-py",
    "wasmtime": "wasmtime-py",
}
"""Of packages that conda-forge has under another name."""
RECIPE: dict[str, Any] = yaml.safe_load((ROOT / "shared/conda/recipe.yaml").read_text("utf-8"))
PYPROJECT = tomllib.loads((ROOT / "backend/pyproject.toml").read_text("utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]


def of_conda(lines: list[str]) -> set[str]:
    requirements = [Requirement(line) for line in lines]
    names = [canonicalize_name(requirement.name) for requirement in requirements]
    return {
        f"{NAMES.get(name, name)} {requirement.specifier}"
        for name, requirement in zip(names, requirements, strict=True)
        if name != PROJECT["name"]
    }


def test_in20_the_version_is_that_of_the_project() -> None:
    assert RECIPE["context"]["version"] == PROJECT["version"]


def test_in20_the_package_needs_what_the_wheel_needs() -> None:
    run = {line for line in RECIPE["requirements"]["run"] if isinstance(line, str)}
    assert run == of_conda(PROJECT["dependencies"]) | {f"python {PROJECT['requires-python']}"}
    build = {f"python {PROJECT['requires-python']}", "pip", *of_conda(PYPROJECT["build-system"]["requires"])}
    assert set(RECIPE["requirements"]["host"]) == build


def test_in20_extras_are_not_older_than_the_wheels() -> None:
    extras = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    assert set(RECIPE["requirements"]["run_constraints"]) == of_conda(extras)


def test_in20_the_bounds_of_the_systems_are_those_of_the_wheels() -> None:
    systems = {one["if"]: one["then"] for one in RECIPE["requirements"]["run"] if isinstance(one, dict)}
    hook = (ROOT / "backend/hatch_build.py").read_text("utf-8")
    for system, bound in systems.items():
        name, _, version = bound.partition(" >=")
        assert name == {"linux": "__glibc", "osx": "__osx"}[system]
        assert version.replace(".", "_") in hook
    assert set(systems) == {"linux", "osx"}

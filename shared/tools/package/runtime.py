"""What an installer fetches beside the wheel, as JSON: the packages of this environment that backend/pyproject.toml
needs at run time, directly or not, with their licences; and the licence of the kernel's compiler.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import ziglang
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[3] / "backend" / "pyproject.toml"
OSI = "License :: OSI Approved :: "


def closure(requirements: Iterable[str]) -> dict[str, list[str]]:
    """The installed packages that these requirements lead to, each with what it needs itself."""
    found: dict[str, list[str]] = {}
    waiting = [(Requirement(line), "") for line in requirements]
    seen = set()
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for its in ("", *requirement.extras):
            if (name, its) in seen or not is_installed(name):
                continue
            seen.add((name, its))
            needs = [Requirement(line) for line in metadata.requires(name) or ()]
            found.setdefault(name, []).extend(canonicalize_name(need.name) for need in needs)
            waiting += [(need, its) for need in needs]
    return found


def is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:  # of another platform or Python
        return False
    return True


def license_of(name: str) -> str:
    found = cast(Any, metadata.metadata(name))  # a message, which its types do not say
    classified = [line.removeprefix(OSI) for line in found.get_all("Classifier", []) if line.startswith(OSI)]
    stated = (found.get("License") or "").strip().splitlines()
    short = stated[0] if len(stated) == 1 and len(stated[0]) < 60 else ""
    return found.get("License-Expression") or short or " AND ".join(classified) or "see the package"


def described() -> list[dict[str, Any]]:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    base = closure(project["dependencies"])
    optional = closure(line for name, lines in extras.items() if name != "all" for line in lines)  # it names the others
    direct = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    return [
        {
            "name": name,
            "version": metadata.version(name),
            "license": license_of(name),
            "scope": "required" if name in base else "optional",
            "direct": name in direct,
            "needs": sorted(set(needs)),
        }
        for name, needs in sorted((optional | base).items())
    ]


zig = Path(ziglang.__file__).parent / "LICENSE"
compiler = {"version": metadata.version("ziglang"), "license": zig.read_text("utf-8").strip()}
print(json.dumps({"python": described(), "zig": compiler}))

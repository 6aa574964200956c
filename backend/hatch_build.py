"""The wheel: for the machine whose kernel library is in it, else for any (shared/spec/install.md).

It is built from what ``npm run package`` has prepared, or from an sdist, which has the same content.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TAGS = {
    "linux-x86_64": "py3-none-manylinux_2_28_x86_64",
    "linux-aarch64": "py3-none-manylinux_2_28_aarch64",
    "darwin-arm64": "py3-none-macosx_11_0_arm64",
    "darwin-x86_64": "py3-none-macosx_11_0_x86_64",
}
"""By the names of system and machine in Python; the libraries need these versions of glibc and macOS."""
GLIBC = (2, 28)
ANY = "any"
BUILT = Path("src", "wavescope", "built")
SBOM = "wavescope.cdx.json"


class BuiltParts(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the library of one machine and the SBOM. Raises FileNotFoundError without kernel and page."""
        if version == "editable":  # of a checkout, which has its built parts elsewhere
            return
        root = Path(self.root)
        for part in (BUILT / "kernel" / "kernel.wasm", BUILT / "page" / "index.html", Path(SBOM)):
            if not (root / part).is_file():
                raise FileNotFoundError(f"{part} is not here: build wheel and sdist with npm run package")
        if self.target_name != "wheel":
            return
        machine = os.environ.get("WHEEL_MACHINE") or _this_machine()
        library = root / "native" / f"kernel-{machine}.so"
        native = machine in TAGS and library.is_file()
        if native:
            build_data["force_include"][str(library)] = f"wavescope/built/kernel/{library.name}"
        build_data["pure_python"] = not native
        build_data["tag"] = TAGS[machine] if native else "py3-none-any"
        build_data["sbom_files"].append(SBOM)


def _this_machine() -> str:
    name, found = platform.libc_ver()
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    fits = sys.platform == "darwin" or (name == "glibc" and numbers >= GLIBC)
    return f"{sys.platform}-{platform.machine()}" if fits else ANY

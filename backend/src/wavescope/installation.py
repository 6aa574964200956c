"""Where the built parts of Wavescope are: inside of the package if a wheel was installed, else in the checkout."""

from __future__ import annotations

from pathlib import Path

BUILT = Path(__file__).resolve().parent / "built"
"""Of a wheel or an sdist, filled by ``npm run package`` (IN1)."""
CHECKOUT = Path(__file__).resolve().parents[3]


def kernel_folder() -> Path:
    """The folder of kernel.wasm and of the libraries made from the same sources."""
    return _built("kernel", "shared/kernel/build")


def page_folder() -> Path:
    """The folder of the microscope's page."""
    return _built("page", "frontend/dist")


def _built(part: str, in_checkout: str) -> Path:
    inside = BUILT / part
    return inside if inside.is_dir() else CHECKOUT / in_checkout

"""Where the built parts are: inside of the package if a wheel was installed, else in the checkout. And what other
packages add.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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


def additions(kind: str) -> list[EntryPoint]:
    """What other packages add, by name: their entry points in the group ``wavescope.`` and ``kind``. Not loaded yet.

    ``commands``: functions that add a command, see ``cli.app``; ``extensions``: parts of a service, see
    ``service.extensions``; ``routes``: routers of ``api.routing``.
    """
    from importlib import metadata  # here: it imports a reader of e-mail

    return sorted(metadata.entry_points(group=f"wavescope.{kind}"), key=lambda point: point.name)

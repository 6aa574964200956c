"""The report of a proof: JSON for programs, one page for people, and the sums of both, signed.

It is written as the proof goes on, and an unfinished one is continued.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from wavescope.errors import InvalidParameter
from wavescope.proof.comparison import DELTA_E, Seen, Wanted, is_complete
from wavescope.proof.page import JSON, PAGE, SIGNATURE, SUMS, page
from wavescope.store.version import SlideVersion

FORM = 2


class Report:
    """A proof in a folder: what is asked for, and what was seen so far."""

    def __init__(self, folder: Path, slide: tuple[str, SlideVersion], wanted: Wanted, browsers: Sequence[str]) -> None:
        self._folder, self._slide, self._wanted, self._names = folder, slide, wanted, list(browsers)
        self._begun = datetime.now(UTC)
        self._runs: list[dict[str, str]] = []
        self._seen: dict[str, Seen] = {}

    def resume(self, key: Ed25519PrivateKey | None) -> int:
        """Takes over what an unfinished proof of the same in this folder has seen, if nothing of it was changed.

        How many views that are.
        """
        try:
            if not _is_intact(self._folder, key):
                return 0
            before = json.loads((self._folder / JSON).read_bytes())
            if before["complete"] or any(before[name] != one for name, one in self._asked().items()):
                return 0
            seen = {one["name"]: Seen.from_json(one) for one in before["browsers"]}
        except (OSError, ValueError, LookupError, TypeError):
            return 0
        self._seen, self._runs = seen, before["runs"]
        return sum(len(one.views) for one in seen.values())

    def before(self, browser: str) -> Seen | None:
        """What a browser has shown so far."""
        return self._seen.get(browser)

    def is_complete(self, browser: str) -> bool:
        """Whether a browser has shown all views."""
        seen = self._seen.get(browser)
        return seen is not None and is_complete(seen, self._wanted, self._slide[1].manifest.icc)

    def add(self, seen: Seen) -> None:
        self._seen[seen.name] = seen

    def _asked(self) -> dict[str, Any]:
        slide_id, slide = self._slide
        manifest = slide.manifest
        return {
            "form": FORM,
            "wavescope": metadata.version("wavescope"),
            "slide": {
                "id": slide_id, "digest": slide.digest, "width": manifest.width, "height": manifest.height,
                "colour_profile": manifest.icc,
            },
            "seed": self._wanted.seed,
            "wanted": {"views": self._wanted.views, "browsers": self._names},
            "machine": platform.platform(),
        }  # fmt: skip

    def described(self) -> dict[str, Any]:
        """The content of ``proof.json`` (PF5)."""
        seen = [self._seen[name] for name in self._names if name in self._seen]
        run = {"begun": _time(self._begun), "ended": _time(datetime.now(UTC))}
        complete = all(self.is_complete(name) for name in self._names)
        return {
            **self._asked(),
            "runs": [*self._runs, run],
            "complete": complete,
            "equal": complete and all(one.equal == len(one.views) for one in seen),
            "browsers": [_browser(one) for one in seen],
        }

    def write(self, key: Ed25519PrivateKey | None) -> dict[str, Any]:
        """Writes the files of the report into its folder; what ``described`` says. Raises OSError."""
        report = self.described()
        self._folder.mkdir(parents=True, exist_ok=True)
        files = {JSON: json.dumps(report, indent=1) + "\n", PAGE: page(report, key is not None)}
        sums = "".join(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in sorted(files.items()))
        for name, text in (files | {SUMS: sums}).items():
            (self._folder / name).write_text(text, encoding="utf-8", newline="\n")
        if key is None:
            (self._folder / SIGNATURE).unlink(missing_ok=True)
        else:
            (self._folder / SIGNATURE).write_bytes(key.sign(sums.encode()))
        return report


def _is_intact(folder: Path, key: Ed25519PrivateKey | None) -> bool:
    """Whether the report has its sums, and the key has signed them. Raises OSError, ValueError."""
    sums = (folder / SUMS).read_bytes()
    if f"{hashlib.sha256((folder / JSON).read_bytes()).hexdigest()}  {JSON}\n" not in sums.decode():
        return False
    if key is not None:
        try:
            key.public_key().verify((folder / SIGNATURE).read_bytes(), sums)
        except InvalidSignature:
            return False
    return True


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _browser(seen: Seen) -> dict[str, Any]:
    times, colours = [one["milliseconds"] for one in seen.views], seen.colours
    return {
        **seen.to_json(),
        "equal": seen.equal,
        "different": len(seen.views) - seen.equal,
        "field_milliseconds": {
            f"p{part}": round(float(np.percentile(times, part)), 1) for part in (50, 95, 100)
        } if times else None,
        DELTA_E: None if not colours else {
            "views": len(colours), "mean": round(float(np.mean([one["mean"] for one in colours])), 3),
            "p95": round(max(one["p95"] for one in colours), 3),
            "largest": round(max(one["largest"] for one in colours), 3),
        },
    }  # fmt: skip


def private_key(path: Path) -> Ed25519PrivateKey:
    """A key in PEM. Raises InvalidParameter, OSError."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as cause:
        raise InvalidParameter("--key", str(path), "a private key of Ed25519 as PEM without a password") from cause
    if not isinstance(key, Ed25519PrivateKey):
        raise InvalidParameter("--key", str(path), "a private key of Ed25519")
    return key

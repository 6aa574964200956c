"""The report of a proof: JSON for programs, one page for people, and the sums of both, signed."""

from __future__ import annotations

import base64
import hashlib
import json
import platform
from collections.abc import Sequence
from datetime import datetime
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from wavescope.errors import InvalidParameter
from wavescope.pixels.images import Pixels, encode_image
from wavescope.proof.comparison import KEPT, Seen
from wavescope.store.version import SlideVersion

JSON, PAGE, SUMS, SIGNATURE = "proof.json", "proof.html", "proof.sha256", "proof.sha256.sig"
FORM = 1

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark }
table { border-collapse: collapse } th, td { border: 1px solid #8888; padding: 0.25rem 0.75rem; text-align: right }
th:first-child, td:first-child { text-align: left } img { max-width: 31%; image-rendering: pixelated; margin-right: 1% }
code { overflow-wrap: anywhere } .equal { color: #2b8a3e } .different { color: #e03131 } .table { overflow-x: auto }
"""


def described(
    slide_id: str, slide: SlideVersion, seed: int, times: tuple[datetime, datetime], all_seen: Sequence[Seen]
) -> dict[str, Any]:
    """The content of ``proof.json`` (PF5). ``times``: when it began and ended."""
    manifest, (begun, ended) = slide.manifest, (time.isoformat(timespec="seconds") for time in times)
    return {
        "form": FORM,
        "wavescope": metadata.version("wavescope"),
        "slide": {
            "id": slide_id, "digest": slide.digest, "width": manifest.width, "height": manifest.height,
            "colour_profile": manifest.icc,
        },
        "seed": seed,
        "begun": begun,
        "ended": ended,
        "machine": platform.platform(),
        "equal": all(one.equal == len(one.views) for one in all_seen),
        "browsers": [_browser(one) for one in all_seen],
    }  # fmt: skip


def _browser(seen: Seen) -> dict[str, Any]:
    times = [one["milliseconds"] for one in seen.views]
    colours = np.reshape(seen.delta_e, (-1, 3))
    return {
        "name": seen.browser, "version": seen.version, "user_agent": seen.agent, "screen": list(seen.screen),
        "equal": seen.equal, "different": len(seen.views) - seen.equal,
        "opening_milliseconds": seen.opening_ms,
        "field_milliseconds": {
            f"p{part}": round(float(np.percentile(times, part)), 1) for part in (50, 95, 100)
        },
        "delta_e_2000": None if not len(colours) else {
            "views": len(colours), "mean": round(float(colours[:, 0].mean()), 3),
            "p95": round(float(colours[:, 1].max()), 3), "largest": round(float(colours[:, 2].max()), 3),
        },
        "views": seen.views,
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


def write(folder: Path, report: dict[str, Any], all_seen: Sequence[Seen], key: Ed25519PrivateKey | None) -> None:
    """Writes the files of the report into a folder. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {JSON: json.dumps(report, indent=1) + "\n", PAGE: page(report, all_seen, key is not None)}
    sums = "".join(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in sorted(files.items()))
    for name, text in (files | {SUMS: sums}).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    if key is None:
        (folder / SIGNATURE).unlink(missing_ok=True)
    else:
        (folder / SIGNATURE).write_bytes(key.sign(sums.encode()))


def page(report: dict[str, Any], all_seen: Sequence[Seen], signed: bool) -> str:
    """The report as a page without any other file."""
    slide, browsers = report["slide"], report["browsers"]
    verdict = "equal" if report["equal"] else "different"
    said = (
        "Every screen showed the pixels of the slide." if report["equal"] else "Some screens differed from the slide."
    )
    rows = "".join(_row(one) for one in browsers)
    pictures = "".join(_pair(one.browser, *pair) for one in all_seen for pair in one.differing)
    heading = f"<h2>Screens that differed (at most {KEPT} of each browser)</h2>" if pictures else ""
    colours = (
        "<p>The slide has a colour profile. The pixels were compared without it. How far the colours on the screen are "
        "from those that LittleCMS calculates with it is in the last column (CIEDE2000: mean, 95 % of a view's pixels, "
        "largest).</p>"
        if slide["colour_profile"]
        else "<p>The slide has no colour profile: its colours are shown as stored.</p>"
    )
    signature = (
        f"<p>The sums of the report ({SUMS}) are signed ({SIGNATURE}): <code>openssl pkeyutl -verify -pubin "
        f"-inkey KEY.pub -rawin -in {SUMS} -sigfile {SIGNATURE}</code></p>"
        if signed
        else "<p>This report is not signed.</p>"
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Proof of display: {escape(slide["id"])}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>
<h1>Proof of display</h1>
<p class="{verdict}"><strong>{said}</strong></p>
<p>Slide <strong>{escape(slide["id"])}</strong>, {slide["width"]} x {slide["height"]} pixels, version
<code>{slide["digest"]}</code>. Wavescope {escape(report["wavescope"])} on {escape(report["machine"])};
{report["begun"]} to {report["ended"]}. The views were chosen by chance from the seed {report["seed"]}.</p>
<p>Each view is a level of the slide, one pixel of it to one of the screen. A screenshot of the whole window is compared
with the pixels that the Python client reads, by SHA-256: one pixel that differs by one step is a difference.</p>
{colours}
<div class="table"><table><tr><th>browser</th><th>views</th><th>equal</th><th>different</th><th>sharp after opening</th>
<th>next view sharp (median, 95 %)</th><th>colours</th></tr>{rows}</table></div>
{heading}{pictures}
{signature}
<p>All views with their sums are in {JSON}.</p>
</body></html>
"""


def _row(one: dict[str, Any]) -> str:
    times, colours = one["field_milliseconds"], one["delta_e_2000"]
    cells = [
        f"{escape(one['name'])} {escape(one['version'])}", str(one["equal"] + one["different"]), str(one["equal"]),
        str(one["different"]), f"{one['opening_milliseconds']:.0f} ms", f"{times['p50']:.0f}, {times['p95']:.0f} ms",
        "-" if colours is None else f"{colours['mean']:.2f}, {colours['p95']:.2f}, {colours['largest']:.2f}",
    ]  # fmt: skip
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _pair(browser: str, facts: dict[str, Any], screen: Pixels, reference: Pixels) -> str:
    apart = np.where(np.any(screen != reference, axis=2), 0, 255).astype(np.uint8)
    pictures = (("screen", screen), ("slide", reference), ("where they differ", np.repeat(apart[..., None], 3, axis=2)))
    place = f"{escape(browser)}: level {facts['level']}, ({facts['x']}, {facts['y']}), plane {facts['plane']}"
    images = "".join(
        f'<img alt="{name}" title="{name}" src="data:image/png;base64,'
        f'{base64.b64encode(encode_image(np.ascontiguousarray(pixels), "png")).decode()}">'
        for name, pixels in pictures
    )
    return f"<h3>{place}</h3><p>Screen, slide, and black where they differ.</p><p>{images}</p>"

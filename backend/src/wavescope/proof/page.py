"""The report of a proof as a page for people, which needs no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from wavescope.proof.comparison import DELTA_E, KEPT

JSON, PAGE, SUMS, SIGNATURE = "proof.json", "proof.html", "proof.sha256", "proof.sha256.sig"
"""The files of a report."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark }
table { border-collapse: collapse } th, td { border: 1px solid #8888; padding: 0.25rem 0.75rem; text-align: right }
th:first-child, td:first-child { text-align: left } img { max-width: 31%; image-rendering: pixelated; margin-right: 1% }
code { overflow-wrap: anywhere } .equal { color: #2b8a3e } .different { color: #e03131 } .table { overflow-x: auto }
dt { font-weight: 600 } dd { margin: 0 0 0.5rem }
@media (prefers-color-scheme: dark) { .equal { color: #69db7c } .different { color: #ff8787 } }
"""


def page(report: dict[str, Any], signed: bool) -> str:
    """The report as a page without any other file."""
    slide, browsers, wanted = report["slide"], report["browsers"], report["wanted"]
    shown, differ = sum(len(one["views"]) for one in browsers), sum(one["different"] for one in browsers)
    all_wanted = wanted["views"] * len(wanted["browsers"])
    verdict = "equal" if report["equal"] else "different" if differ else ""
    said = f"{shown - differ:,} of {shown:,} screens showed exactly the pixels of the slide."
    if not report["complete"]:
        said += f" This report is not complete: {all_wanted:,} screens were wanted."
    signature = (
        f"<p>The sums of the report ({SUMS}) are signed ({SIGNATURE}): <code>openssl pkeyutl -verify -pubin "
        f"-inkey KEY.pub -rawin -in {SUMS} -sigfile {SIGNATURE}</code></p>"
        if signed
        else "<p>This report is not signed.</p>"
    )
    runs = "; ".join(f"{one['begun']} to {one['ended']}" for one in report["runs"])
    rows = "".join(_row(one) for one in browsers)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Proof of display: {escape(slide["id"])}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>
<h1>Proof of display</h1>
<p class="{verdict}"><strong>{said}</strong></p>
<dl><dt>Slide</dt><dd>{escape(slide["id"])}, {slide["width"]:,} x {slide["height"]:,} pixels, version
<code>{slide["digest"]}</code></dd>
<dt>Software</dt><dd>Wavescope {escape(report["wavescope"])} on {escape(report["machine"])}</dd>
<dt>Time</dt><dd>{runs}</dd>
<dt>Browsers</dt><dd>{"<br>".join(map(_software, browsers)) or "none was started"}</dd></dl>
<h2>Method</h2>
<p>For each browser {wanted["views"]:,} views were chosen by chance from the seed {report["seed"]}: each level of
the slide as often as another, at any pixel and on any focal plane. Each view was shown in the page as people use
it, one pixel of the level to one of the screen. When it was as sharp as it gets, a screenshot of the whole window
was taken. Its pixels were compared, by SHA-256, with those that the Python client reads from the stored slide: one
pixel that differs by one step is a difference.</p>
<p>This holds for this machine, these browsers and this slide. It does not judge the monitor, nor how far the stored
pixels are from those of the scanner.</p>
<h2>Pixels and times</h2>
<div class="table"><table><tr><th>browser</th><th>views</th><th>equal</th><th>different</th><th>sharp after opening</th>
<th>next view sharp (median, 95 %, longest)</th></tr>{rows}</table></div>
<p>Times are from the beginning of loading, or of the move, until the view was as sharp as it gets, on this machine
with whatever else it did.</p>
<h2>Levels</h2>
<div class="table"><table><tr><th>level</th>{"".join(f"<th>{escape(one['name'])}</th>" for one in browsers)}</tr>
{_levels(browsers)}</table></div>
<p>Equal views of all views.</p>
<h2>Colours</h2>
{_colours(slide["colour_profile"], browsers)}
{_differences(browsers)}
<h2>Signature</h2>
{signature}
<p>All views with their places, times and sums are in {JSON}.</p>
</body></html>
"""


def _software(one: dict[str, Any]) -> str:
    width, height = one["screen"]
    name = f"{escape(one['name'])} {escape(one['version'])}"
    return f"{name}, window of {width} x {height} pixels: <code>{escape(one['user_agent'])}</code>"


def _row(one: dict[str, Any]) -> str:
    times = one["field_milliseconds"]
    cells = [
        f"{escape(one['name'])} {escape(one['version'])}", f"{len(one['views']):,}", f"{one['equal']:,}",
        f"{one['different']:,}", f"{one['opening_milliseconds']:,.0f} ms",
        "-" if times is None else f"{times['p50']:,.0f}, {times['p95']:,.0f}, {times['p100']:,.0f} ms",
    ]  # fmt: skip
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _levels(browsers: Sequence[dict[str, Any]]) -> str:
    counts = [
        (
            Counter(view["level"] for view in one["views"] if view["screen"] == view["reference"]),
            Counter(view["level"] for view in one["views"]),
        )
        for one in browsers
    ]
    return "".join(
        f"<tr><td>{level}</td>{''.join(f'<td>{same[level]} of {every[level]}</td>' for same, every in counts)}</tr>"
        for level in sorted(set().union(*(every for _, every in counts)))
    )


def _colours(profile: bool, browsers: Sequence[dict[str, Any]]) -> str:
    if not profile:
        return "<p>The slide has no colour profile: its colours are shown as stored.</p>"
    rows = "".join(
        f"<tr><td>{escape(one['name'])}</td><td>{found['views']}</td><td>{found['mean']:.2f}</td>"
        f"<td>{found['p95']:.2f}</td><td>{found['largest']:.2f}</td></tr>"
        for one in browsers
        if (found := one[DELTA_E]) is not None
    )
    return f"""<p>The slide has a colour profile. The pixels were compared without it. Then the first views were shown
with it, and their screens compared with the colours that LittleCMS calculates from the same pixels by the profile:
CIEDE2000, of which 1 is about the least that an eye can see.</p>
<div class="table"><table><tr><th>browser</th><th>views</th><th>mean</th><th>95 % of a view's pixels</th>
<th>largest</th></tr>{rows}</table></div>"""


def _differences(browsers: Sequence[dict[str, Any]]) -> str:
    pairs = "".join(_pictures(one["name"], view) for one in browsers for view in one["views"] if "pictures" in view)
    return f"<h2>Screens that differed (at most {KEPT} of each browser)</h2>{pairs}" if pairs else ""


def _pictures(browser: str, facts: dict[str, Any]) -> str:
    place = f"{escape(browser)}: level {facts['level']}, ({facts['x']}, {facts['y']}), plane {facts['plane']}"
    images = "".join(
        f'<img alt="{escape(name)}" title="{escape(name)}" src="{escape(url)}">'
        for name, url in facts["pictures"].items()
    )
    return f"<h3>{place}</h3><p>Screen, slide, and black where they differ.</p><p>{images}</p>"

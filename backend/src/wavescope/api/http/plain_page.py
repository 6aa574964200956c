"""Pages that the service writes itself, where the built page is not needed: a heading, a text, a form."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from starlette.responses import HTMLResponse

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 Inter, ui-sans-serif, system-ui, sans-serif;
  --line: light-dark(#ced4da, #424242); --accent: light-dark(#355fa8, #9db8ea); --ground: light-dark(#fff, #1f1f1f); }
body { margin: 0; background: light-dark(#f6f6f8, #161616); }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem; }
nav a { padding: .5rem .875rem; border: 1px solid var(--line); border-radius: 8px; text-decoration: none;
  background: var(--ground); }
nav a[aria-current] { background: var(--accent); border-color: var(--accent); color: light-dark(#fff, #161616); }
form[role=search] { display: flex; gap: .5rem; margin-bottom: 1rem; }
input, button { box-sizing: border-box; min-height: 44px; padding: .375rem .75rem; border: 1px solid var(--line);
  border-radius: 8px; background: var(--ground); color: inherit; font: inherit; }
input { flex: 1; min-width: 0; }
button { cursor: pointer; }
:is(a, button, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button:hover { border-color: var(--accent); }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: .5rem; margin: 0;
  padding: 0; list-style: none; }
li button { display: flex; align-items: center; gap: .75rem; width: 100%; height: 100%; text-align: left;
  overflow-wrap: anywhere; }
img { flex: none; width: 64px; height: 48px; border-radius: 4px; object-fit: cover; background: #fff; }
footer { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: 1rem; }
@media (max-width: 25rem) { main { padding: .75rem; } h1 { margin-bottom: .5rem; font-size: 1.125rem; }
  nav { gap: .25rem; } nav a { padding: .5rem; } nav, form[role=search] { margin-bottom: .5rem; } }
"""


@dataclass(frozen=True)
class Allowed:
    """What a page may do: run this one script, send forms to ``form``, and be framed by the origins of ``frames``."""

    script: str = ""
    form: str = "'none'"
    frames: Sequence[str] = ()


def plain_page(title: str, body: str, language: str, allowed: Allowed, status: int = 200) -> HTMLResponse:
    """A page in a ``language`` with this heading; ``body`` is HTML."""
    framing = " ".join(allowed.frames) or "'none'"
    policy = (
        f"default-src 'none'; script-src '{_digest(allowed.script)}'; style-src-elem '{_digest(STYLE)}'; "
        f"img-src 'self'; form-action {allowed.form}; base-uri 'none'; frame-ancestors {framing}"
    )
    html = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Wavescope</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main><script>{allowed.script}</script></body></html>"
    )
    headers = {"cache-control": "no-store", "content-language": language, "content-security-policy": policy}
    return HTMLResponse(html, status, headers)


def _digest(text: str) -> str:
    """What a policy names an inline script or style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

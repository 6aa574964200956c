"""Security headers (PR1 to PR3): constants, so that a fast route pays nothing for them."""

from __future__ import annotations

from collections.abc import Collection

Headers = list[tuple[bytes, bytes]]

# Everything the page runs or paints comes from files of the service. Exceptions, each with its reason:
# - 'wasm-unsafe-eval': the codec is WebAssembly; it allows no eval of scripts.
# - img blob: and data:: pictures made by the page itself (a saved view, OpenSeadragon's drawing).
# - style-src-elem 'unsafe-inline': Mantine and react-remove-scroll insert style elements whose text depends on the
#   component; scripts stay closed, and so do style attributes in markup.
CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "script-src-attr 'none'",
        "worker-src 'self'",
        "connect-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "style-src-elem 'self' 'unsafe-inline'",
        "style-src-attr 'none'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
FRAMES = "frame-ancestors 'none'"
PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"
PAGE: Headers = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", PERMISSIONS.encode()),
]

FRAME_COOKIE = b"wavescope_frame="


def page_headers(cookies: bytes, origins: Collection[str]) -> Headers:
    """The headers of a page. ``origins``: those of learning platforms, whose frames may show it to a browser that has
    come from one of them (LT16).
    """
    if not origins or FRAME_COOKIE not in cookies:
        return PAGE
    policy = CONTENT_POLICY.replace(FRAMES, f"frame-ancestors {' '.join(origins)}")
    return [(b"content-security-policy", policy.encode()), *PAGE[1:]]


def security_headers(origins: Collection[str]) -> Headers:
    """The headers of every answer. Other sites may embed pictures only if some are allowed to read (WI33)."""
    resource = b"cross-origin" if origins else b"same-origin"
    return [
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
        (b"cross-origin-resource-policy", resource),
    ]

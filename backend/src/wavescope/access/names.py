"""Which names look alike (AC63)."""

from __future__ import annotations

import unicodedata

# Letters of other scripts that look like Latin ones, after case folding.
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u043c\u043a\u0442\u043d\u0432"
    "\u03bf\u03b1\u03bd\u03b9\u03c1\u03ba\u03c5\u03c7\u0131",
    "aeopcyxijshdqmkthb" "oavipkuxi",
)  # fmt: skip


def likeness(name: str) -> str:
    """What is left of a name without case, accents, spaces, signs and lookalikes: equal for names that look alike."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(one for one in plain.translate(_LOOKALIKES) if one.isalnum())

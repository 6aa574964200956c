"""How often one client may do what: rates in the notation of the ``limits`` library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wavescope.config.setting import setting


def _rate(default: str, meaning: str) -> str:
    return setting(default, "", None, meaning, form="rate")


@dataclass(frozen=True)
class Rates:
    """Requests of one client ("10/minute", "500 per 10 second"); empty: no limit. ``..._failures`` count only what
    was refused.
    """

    rate_blocks: str = _rate(
        "20000 per 10 second", "blocks, index pages and files of the page; one view needs a hundred"
    )
    rate_pixels: str = _rate("3000 per 10 second", "tiles, regions and pictures that the service decodes")
    rate_reads: str = _rate("3000 per 10 second", "all other requests that change nothing")
    rate_changes: str = _rate("600 per 10 second", "all other requests that change something")
    rate_uploads: str = _rate("60 per minute", "uploads")
    rate_exports: str = _rate("60 per minute", "exports")
    rate_sign_in: str = _rate(
        "600 per minute", "sign-ins, opened links, changes of the own password; a lecture hall has one address"
    )
    rate_sign_in_failures: str = _rate("30 per minute", "refused sign-ins, links and passwords of one client")
    rate_account_failures: str = _rate(
        "30 per 10 minute",
        "refused passwords for one account from all addresses together, but those that signed in to it before (OP15)",
    )
    rate_join: str = _rate("600 per minute", "joining live sessions; a class joins from one address")
    rate_join_failures: str = _rate("20 per minute", "refused codes and passcodes of live sessions")
    rate_live: str = _rate("1200 per minute", "connections to live sessions")
    rate_live_failures: str = _rate("60 per minute", "connections of clients that are not members")


GROUPS: Mapping[str, str] = {"rate_blocks": "Rates of one client"}
"""The first rate, and the title of the group."""

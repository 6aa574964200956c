"""``wavescope lti``: the learning platforms that may launch (LT1 to LT3)."""

from __future__ import annotations

import argparse
import time

from wavescope.catalog.lti.platforms import PlatformFacts, Platforms
from wavescope.catalog.lti.scores import Scores, UnsentScores
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.cli.recorded import record as record_act
from wavescope.cli.store import opened_catalog

FACTS = ("title", "issuer", "client_id", "authorize_url", "token_url", "keys_url", "deployments", "frames")


def list(arguments: argparse.Namespace) -> int:
    """Every platform, with its last launch and the scores that it did not accept."""
    with opened_catalog(config_of(arguments)) as catalog:
        platforms, unsent = Platforms(catalog).list(), Scores(catalog).unsent()
    scores = [unsent.get(one.id, UnsentScores()) for one in platforms]
    if arguments.json:
        result(
            [
                {"id": one.id, "created": one.created, "launched": one.launched, **vars(one.facts), "scores": vars(of)}
                for one, of in zip(platforms, scores, strict=True)
            ]
        )
        return OK
    for one, of in zip(platforms, scores, strict=True):
        last = "never" if one.launched is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(one.launched))
        fault = f", scores not accepted: {of.waiting} waiting, {of.lost} lost ({of.fault})" if of.fault else ""
        print_line(f"{one.id} {one.facts.title}: {one.facts.issuer}, last launch: {last}{fault}")
    if not platforms:
        print_stderr("no learning platforms yet; add the first one with: wavescope lti add")
    return OK


def add(arguments: argparse.Namespace) -> int:
    """Registers a platform."""
    facts = {name: getattr(arguments, name) for name in FACTS}
    facts |= {name: tuple(facts[name] or ()) for name in ("deployments", "frames")}
    with opened_catalog(config_of(arguments)) as catalog:
        made = Platforms(catalog).add(PlatformFacts(**facts))
        record_act(catalog, "platform added", platform=made.facts.issuer)
    print_line(made.id)
    return OK


def remove(arguments: argparse.Namespace) -> int:
    """Ends the launches of a platform; scores that wait are not sent."""
    with opened_catalog(config_of(arguments)) as catalog:
        removed = Platforms(catalog).remove(arguments.id)
        record_act(catalog, "platform removed", platform=removed.facts.issuer)
    print_line(f"{removed.facts.title}: removed")
    return OK

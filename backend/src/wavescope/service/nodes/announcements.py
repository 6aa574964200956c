"""The announcements of each node reach the services of all nodes (CL13)."""

from __future__ import annotations

import json
from collections.abc import Callable

from wavescope.service.events import Events
from wavescope.service.nodes.channel import Channel

RIGHTS, ANNOTATIONS, VERSIONS = "rights-revoked", "annotations-changed", "version-removed"


def connect(events: Events, channel: Channel, rights_changed: Callable[[], None]) -> None:
    """Passes on what is announced here, and delivers what other nodes announce. ``rights_changed`` is called before an
    announcement of rights is delivered: what this node remembers of them is old.

    After a gap all rights are checked again. Live sessions find missed annotations by themselves (SE35), and a version
    that is gone is not served.
    """

    def revoked(_: str = "") -> None:
        rights_changed()
        events.rights_revoked.deliver()

    def annotated(text: str) -> None:
        slide_id, sequence = json.loads(text)
        events.annotations_changed.deliver(slide_id, sequence)

    events.rights_revoked.relay(lambda: channel.post(RIGHTS))
    events.annotations_changed.relay(lambda *change: channel.post(ANNOTATIONS, json.dumps(change)))
    events.version_removed.relay(lambda digest: channel.post(VERSIONS, digest))
    channel.subscribe(RIGHTS, revoked, revoked)
    channel.subscribe(ANNOTATIONS, annotated)
    channel.subscribe(VERSIONS, events.version_removed.deliver)

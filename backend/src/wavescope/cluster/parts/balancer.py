"""HAProxy in front of the nodes."""

from __future__ import annotations

import signal

from wavescope.cluster.part import Part
from wavescope.cluster.parts.place import HOST, Place, plain_environment
from wavescope.cluster.probes import HttpProbe

FILE, SOCKET = "haproxy.cfg", "haproxy.sock"


def balancer(place: Place) -> Part:
    """TLS and HTTP/2 for users; it reads its configuration again without closing connections."""
    folder = place.folder / "balancer"
    file = folder / FILE
    return Part(
        name="balancer",
        kind="balancer",
        command=(place.programs["haproxy"], "-W", "-db", "-f", str(file)),
        address=f"{HOST}:{place.cluster.port}",
        probe=HttpProbe(place.cluster.port, "/healthz", tls=True),
        folder=folder,
        environment=plain_environment(),
        after=("certificate", *place.cluster.nodes),
        files={file: configuration(place)},
        reload=signal.SIGUSR2,
    )


def configuration(place: Place) -> str:
    """The configuration of HAProxy."""
    servers = "\n".join(f"    server {name} {place.address(name)}" for name in place.cluster.nodes)
    return f"""global
    maxconn 8192
    stats socket {place.folder / "balancer" / SOCKET} mode 600 level admin
    ssl-default-bind-options ssl-min-ver TLSv1.2
    hard-stop-after 1h

defaults
    mode http
    timeout connect 2s
    timeout check 10s
    timeout http-request 15s
    timeout http-keep-alive 75s
    timeout queue 30s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
    retries 3
    option redispatch 1
    retry-on conn-failure empty-response 503

frontend https
    bind {HOST}:{place.cluster.port} ssl crt {place.certificate} alpn h2,http/1.1
    http-request set-header X-Forwarded-For %[src]
    http-request set-header X-Forwarded-Proto https
    http-request disable-l7-retry unless {{ method GET HEAD OPTIONS }}
    http-response set-header Strict-Transport-Security "max-age=31536000"
    use_backend unchecked if {{ nbsrv(nodes) lt 1 }}
    default_backend nodes

frontend status
    bind {place.address("balancer-status")}
    http-request use-service prometheus-exporter if {{ path /metrics }}
    stats enable
    stats uri /

backend nodes
    balance roundrobin
    option httpchk GET /readyz
    http-check expect status 200
    default-server check inter 500ms fall 2 rise 1
{servers}

# While no node is ready, as during a restart of the database, the nodes themselves wait for it.
backend unchecked
    balance roundrobin
{servers}
"""

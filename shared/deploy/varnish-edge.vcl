# Varnish 7 as an edge near the users: it stores immutable answers of public slides and passes on everything else. TLS ends before it
# (hitch, nginx). Change the address of the origin. The origin has allowed_hosts with the name of this edge, and trusted_proxies with its
# address.
vcl 4.1;

backend origin {
    .host = "192.0.2.10";
    .port = "8000";
    .first_byte_timeout = 120s;
    .between_bytes_timeout = 3600s;
}

sub vcl_recv {
    set req.http.X-Forwarded-For = client.ip;       # replaces what a client has written
    if (req.http.Upgrade) {
        return (pipe);                              # live sessions
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.url !~ "^/(assets/|api/v1/slides/[^/]+/v/[0-9a-f]+/)") {
        return (pass);
    }
    return (hash);      # also with cookies: only what is public is stored
}

sub vcl_pipe {
    set bereq.http.Upgrade = req.http.Upgrade;
    set bereq.http.Connection = req.http.Connection;
}

sub vcl_backend_response {
    # Only an answer that says "public" is stored. Everything else belongs to the client that asked (AC40, AC41). For two minutes requests
    # for such an address do not wait for each other (hit-for-miss).
    if (beresp.http.Cache-Control !~ "(?i)(^|,)\s*public\s*(,|$)" || (beresp.status != 200 && beresp.status != 204)) {
        set beresp.uncacheable = true;
        set beresp.ttl = 120s;
        return (deliver);
    }
    set beresp.grace = 30d;                         # if the origin is away, what is stored is still served
    return (deliver);
}

sub vcl_deliver {
    if (obj.uncacheable) {
        set resp.http.X-Cache = "PASS";
    } elseif (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}

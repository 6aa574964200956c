"""The routes, grouped as the service is. A route translates parameters in and answers out; no algorithm stands here."""

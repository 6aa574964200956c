"""What every request passes before a route sees it: access guard, rate limits, security headers, audit trail."""

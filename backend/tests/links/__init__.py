"""Slow links for tests and benches: a TCP proxy with a rate, a delay and faults (``python -m links.proxy --help``)."""

"""Metrics for Prometheus: what they are (``families``), counting requests (``registry``), reading the parts of the
service (``parts``).
"""

"""The laboratory: workloads, models, plans and replays of the service, and a cluster of it on this machine.

It uses ``wavescope``, which does not know it: its commands, routes and parts are found by their entry points.
"""

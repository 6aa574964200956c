"""Policies of request distribution that a balancer runs, or could, as pure functions over plain state.

Those that the service runs itself are in ``wavescope.distribution``.
"""

"""Attacks on services and stores of their own: ``npm run attack``, or ``python -m attack`` in ``backend/tests``."""

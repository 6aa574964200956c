"""Attacks on real services and stores of their own: ``npm run attack`` from outside, ``python -m attack`` in this folder's parent."""

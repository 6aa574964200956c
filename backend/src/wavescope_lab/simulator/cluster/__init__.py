"""A cluster of nodes with memories and disks behind a distribution policy: the study of 1999 (decision 0023)."""

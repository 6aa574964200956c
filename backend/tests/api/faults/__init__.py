"""Every fault of the table is provoked on a running service."""

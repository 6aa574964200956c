"""``wavescope workload``: traces of the pathologist workload, made and replayed."""

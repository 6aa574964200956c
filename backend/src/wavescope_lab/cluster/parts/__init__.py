"""The parts of a cluster as data: for each the command, the files it reads and the question that shows it is ready."""

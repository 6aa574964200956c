"""What nodes share beside the content of the catalog."""

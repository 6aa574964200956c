"""Pixels of open versions, from their blocks: regions, tiles, pictures as files, colours."""

"""The maps of a scan's quality: read from stored blocks, kept with the slide."""

"""Slide versions outside a store: a folder for any web server, or one file (``spec/static.md``)."""

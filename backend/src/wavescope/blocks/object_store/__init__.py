"""Blocks of slide versions in an object store: few ranged reads for many blocks."""

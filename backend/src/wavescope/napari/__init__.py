"""The plugin of napari: slides as pyramids that read what is looked at (shared/spec/notebook.md, NB10 to NB12)."""

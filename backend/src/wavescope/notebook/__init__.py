"""Slides in a notebook: ``wavescope.show(slide)`` (shared/spec/notebook.md)."""

from wavescope.notebook.widget import SlideWidget, show

__all__ = ["SlideWidget", "show"]

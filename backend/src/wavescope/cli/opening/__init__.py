"""``wavescope open``: a slide file in the browser, by one command."""

"""Routes of slides: blocks, pixels, manifests, annotations, cases, tours, the trash."""

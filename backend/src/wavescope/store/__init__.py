"""The store on disk: Zarr v3 with sharding, the manifest, the layer index and their readers."""

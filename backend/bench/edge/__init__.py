"""The classroom of Beynon 1998 over an emulated wide-area link."""

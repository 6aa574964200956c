"""Shapes as documents for other software (OV33, OV39)."""

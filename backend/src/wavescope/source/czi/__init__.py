"""ZEISS CZI."""

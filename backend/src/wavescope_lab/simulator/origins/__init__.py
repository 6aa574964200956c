"""Clients that read from several origins with replicas: the experiment of Tierney et al. 1999 (SI17)."""

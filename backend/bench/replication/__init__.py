"""The experiment of Tierney et al. 1999: three origins, each slide on two, unequal links, three clients."""

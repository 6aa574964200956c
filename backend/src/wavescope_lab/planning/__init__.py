"""How much equipment a number of clients needs: pure formulas of queueing and caching, prices, the search (SI20)."""

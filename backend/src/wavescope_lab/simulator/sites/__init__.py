"""Many clients at many sites in front of one cluster, event by event or in batches: the same times (SI10)."""

"""Jobs of a store that several nodes run (CL40 to CL49)."""

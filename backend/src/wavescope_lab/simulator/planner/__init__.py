"""Plans confirmed by the model of many sites."""

"""The quality of a slide: names, samples, trials, the measure, the choice, and what was reached (decision 0008)."""

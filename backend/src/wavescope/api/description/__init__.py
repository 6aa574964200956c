"""What the contract says beyond what FastAPI finds out: descriptions, examples, headers, errors, security schemes."""

"""From frames to crops with context: sampling, cutting, neighbours, prefix."""

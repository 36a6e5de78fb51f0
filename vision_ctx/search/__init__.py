"""The read path: filters, channels, fusion, answers."""

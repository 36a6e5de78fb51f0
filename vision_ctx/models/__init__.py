"""Adapters of neural models: the only place for torch, ultralytics and open_clip."""

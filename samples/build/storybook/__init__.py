"""The invented site as data: its cameras, the ways through their views, and what happens there."""

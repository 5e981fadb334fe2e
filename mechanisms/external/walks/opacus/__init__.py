"""Opacus walked: layers, clipping, losses, schedules, sampling and accountants."""

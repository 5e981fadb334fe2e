"""Every place that reads what somebody else wrote, under Hypothesis' fire.

At any input either a clean result or one clear line. The same examples every
time; `FUZZ=50 pytest tests/fuzz` tries fifty times as many new ones.
"""

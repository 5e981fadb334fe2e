"""Ways to reach a black box: a Python callable, a program, a query, recorded files."""

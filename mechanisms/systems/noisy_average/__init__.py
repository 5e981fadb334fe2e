"""The average age of the records above 25, with noise scaled in three ways."""

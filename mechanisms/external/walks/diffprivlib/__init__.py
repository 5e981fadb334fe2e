"""diffprivlib walked: its mechanisms, tools and models, each at the epsilon it is given."""

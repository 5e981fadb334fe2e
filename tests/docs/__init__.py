"""The pages of docs/: what they show is what there is."""

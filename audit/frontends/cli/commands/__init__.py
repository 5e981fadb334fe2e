"""What `audit` can be told to do, one command per file."""

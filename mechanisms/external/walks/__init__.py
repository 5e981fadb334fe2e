"""Calls of libraries with a uniform surface, enumerated: constructors, options, input types."""

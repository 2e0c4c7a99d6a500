"""Toss coins: a design that is a package of its own, made known by an entry point."""

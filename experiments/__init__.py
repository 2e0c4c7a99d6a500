"""Experiments that come with spadesim: one question a TOML file, for `spadesim run`."""

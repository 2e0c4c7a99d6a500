"""The bundled experiments: one question per TOML file, for `spadesim run`."""

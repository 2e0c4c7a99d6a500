"""The bundled studies, one question per module; each has a TOML file of the same name in experiments/."""

"""The studies that come with spadesim, a question a module; each has a TOML file of its name in experiments/."""

"""The packages: all rooms of `spadesim/`, and two folders that stand beside it. The rest is in pyproject.toml."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["spadesim", "spadesim.*"]), "spadesim.strategies", "spadesim.experiments"])

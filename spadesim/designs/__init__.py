"""The kinds of experiment: a folder each, all with the same doors."""

"""A strategy as a kernel over all lanes: compiled, or called as plain Python."""

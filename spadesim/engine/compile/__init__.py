"""How functions become machine code: compiled once, kept on disk, with card helpers as machine operations."""

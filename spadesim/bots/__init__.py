"""What a bot is: declared, found, loaded, given parameters, put at a table; asked, checked, replayed, blamed."""

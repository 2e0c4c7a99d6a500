"""Ask a question of leagues and their logs."""

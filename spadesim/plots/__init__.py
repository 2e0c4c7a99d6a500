"""Charts, and the style that they share."""

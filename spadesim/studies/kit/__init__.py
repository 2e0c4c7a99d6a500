"""What studies are written with: estimates, figures of hands and of games."""

"""What is kept on disk: files that are whole or not there, manifests, a run's folder, the log of deals."""
